// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The delegate as given, and the protocols it conforms to: looked up once, on the creating thread.
struct ConnectionDelegate: @unchecked Sendable {
  // Sendable: that the delegate is called one call at a time, on the threads its owner chose by scheduling, is the
  // promise of this API; which threads may use it otherwise is its owner's business, as on Apple's systems.
  private let object: Any?
  let base: (any NSURLConnectionDelegate)?
  let data: (any NSURLConnectionDataDelegate)?
  let download: (any NSURLConnectionDownloadDelegate)?

  init(_ object: Any?) {
    self.object = object
    base = object as? any NSURLConnectionDelegate
    data = object as? any NSURLConnectionDataDelegate
    download = object as? any NSURLConnectionDownloadDelegate
  }
}
