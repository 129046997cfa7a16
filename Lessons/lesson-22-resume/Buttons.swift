// SPDX-License-Identifier: Apache-2.0

/// What a downloader lets a person do.
protocol Buttons: Sendable {
  func start()
  func pause()
  func resume()
}
