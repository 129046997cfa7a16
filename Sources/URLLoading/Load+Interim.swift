// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Transport

/// What is told before the final response: interim ones (RFC 9110 section 15.2), and the progress of sending.
extension Load {
  package func transfer(_ transfer: Transfer, didReceiveInterim head: ResponseHead) {
    guard phase == .running, self.transfer === transfer, let url = currentRequest.url,
      let response = LoadedResponse(head, url: url)
    else { return }
    client?.load(self, didReceiveInterim: response)
  }

  /// Bytes of the request's body that were sent so far.
  func noteSent(_ total: Int64, expected: Int64) {
    setSent(total)
    client?.load(self, didSend: total, expected: expected)
  }
}
