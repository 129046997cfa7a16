// SPDX-License-Identifier: Apache-2.0
import CCurl

/// A login that takes several requests on one connection, which libcurl carries out (RFC 4559 has the scheme's history; NTLM
/// itself is [MS-NLMP]). On the I/O thread.
///
/// libcurl sends a request without its body, reads the server's challenge in a 401, and sends the request itself. Each of
/// the heads arrives here, and nothing says whether another request follows: where a body or the end comes, none did.
extension Transfer {
  /// What libcurl has to know for it. NTLM is for HTTP/1.1 alone: it is the connection that is logged in.
  func configureLogin(_ handle: EasyHandle) {
    guard let login = request.login else { return }
    handle.hasSpecialOptions = true
    _ = unsafe workbench_easy_log_in_by_ntlm(handle.raw)
    handle.set(CURLOPT_USERNAME, login.user)
    handle.set(CURLOPT_PASSWORD, login.password)
    if request.isSecure { handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
  }

  /// Keeps back a head behind which the login may continue: a 401, or the answer to a request whose body was left out.
  func holdsBack(_ head: ResponseHead) -> Bool {
    guard request.login != nil, head.status == 401 || (head.status < 300 && reader?.hasBegun == false) else {
      return false
    }
    heldHead = head
    return true
  }

  /// A line of a head. Where it begins another one, the login continued, and the one before was part of it.
  func loginLine(_ line: Span<UInt8>) {
    guard heldHead != nil, line.begins(with: "HTTP/") else { return }
    heldHead = nil
    handle?.watchesRawBytes = false
    machine.answerFollows()
  }

  /// The login is over: what was held back is the answer.
  func deliverHeldHead() {
    guard let head = heldHead else { return }
    heldHead = nil
    deliver(head)
  }
}
