// SPDX-License-Identifier: Apache-2.0
import Foundation
import Timeline
import URLLoading

extension TimelineEvent.Payload {
  static func response(_ response: URLResponse) -> Self {
    .response(
      status: (response as? HTTPURLResponse)?.statusCode ?? 0, expectedLength: response.expectedContentLength,
      type: response.mimeType)
  }

  static func progress(_ piece: Tally.Piece) -> Self {
    .progress(piece: piece.bytes, total: piece.total, expected: piece.expected)
  }

  /// The end of a task: `URLError` is what all errors here are; the domain is spelled as Foundation bridges it.
  static func end(_ error: (any Error)?) -> Self {
    guard let error else { return .success }
    let bridged = error as NSError
    return .failure(domain: bridged.domain, code: bridged.code)
  }
}
