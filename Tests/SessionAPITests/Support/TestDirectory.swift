// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A directory of one test's own, removed with it.
final class TestDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "SessionAPITests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The names of the files in it.
  var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
  }
}
