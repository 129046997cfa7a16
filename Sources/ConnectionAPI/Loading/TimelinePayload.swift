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

  /// The end of a load. The domain is spelled as Foundation bridges it.
  static func end(_ error: URLError?) -> Self {
    error.map { .failure(domain: ($0 as NSError).domain, code: $0.errorCode) } ?? .success
  }
}
