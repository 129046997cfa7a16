// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Transport

/// What is told before the final response: interim ones (RFC 9110 section 15.2), and the progress of sending.
extension Load {
  package func transfer(_ transfer: Transfer, didReceiveInterim head: ResponseHead) {
    guard phase == .running, self.transfer === transfer, let url = currentURL,
      let response = LoadedResponse(head, url: url)
    else { return }
    noteUploadResource(head)
    client?.load(self, didReceiveInterim: response)
  }

  package func transfer(_ transfer: Transfer, didSend total: Int64) {
    guard phase == .running, self.transfer === transfer else { return }
    guard !link.isOpen else { return linked(sent: total) }
    let base = upload?.base ?? 0
    noteSent(base + total, expected: transfer.bodyLength < 0 ? -1 : base + transfer.bodyLength)
    noteExchange { $0.bodySent = Date() }
  }

  /// Bytes of the request's body that were sent so far.
  func noteSent(_ total: Int64, expected: Int64) {
    setSent(total)
    client?.load(self, didSend: total, expected: expected)
  }
}
