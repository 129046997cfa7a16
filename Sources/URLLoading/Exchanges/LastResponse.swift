// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Transport

/// The response that was made last, for loads that get the same head from the same URL again.
///
/// The toolchain takes as many instructions to make a response as libcurl takes for the whole of a small request, and
/// a program that polls a server gets the same head again and again. A response never changes, so it can stand for several.
final class LastResponse: Sendable {
  private struct Entry {
    var url: URL
    var head: ResponseHead
    var response: LoadedResponse
  }

  private let last = Locked<Entry?>(nil)

  /// A response for `head`, which came from `url`; nil where it cannot be represented.
  func response(for head: ResponseHead, from url: URL) -> LoadedResponse? {
    if let last = last.withLock({ $0 }), last.head == head, last.url == url { return last.response }
    guard let made = LoadedResponse(head, url: url) else { return nil }
    last.withLock { $0 = Entry(url: url, head: head, response: made) }
    return made
  }
}
