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

  private struct StoredEntry {
    var url: URL
    var fields: [String: String]
    var response: LoadedResponse
    var isDecoded: Bool
  }

  private let last = Locked<Entry?>(nil)
  private let lastStored = Locked<StoredEntry?>(nil)

  /// A response for `head`, which came from `url`; nil where it cannot be represented.
  func response(for head: ResponseHead, from url: URL) -> LoadedResponse? {
    if let last = last.withLock({ $0 }), last.head == head, last.url == url { return last.response }
    guard let made = LoadedResponse(head, url: url) else { return nil }
    last.withLock { $0 = Entry(url: url, head: head, response: made) }
    return made
  }

  /// A response for what the cache answers to a request to `url`; nil where it cannot be represented.
  func response(for answer: LoadCache.Answer, from url: URL) -> LoadedResponse? {
    let (status, isDecoded) = (answer.status, answer.isDecoded)
    if let last = lastStored.withLock({ $0 }), last.response.statusCode == status, last.isDecoded == isDecoded,
      last.url == url, last.fields == answer.fields
    {
      return last.response
    }
    guard
      let made = LoadedResponse(
        url: url, status: status, version: "HTTP/1.1", fields: answer.fields, isDecoded: isDecoded)
    else { return nil }
    let entry = StoredEntry(url: url, fields: answer.fields, response: made, isDecoded: isDecoded)
    lastStored.withLock { $0 = entry }
    return made
  }
}
