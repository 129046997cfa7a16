// SPDX-License-Identifier: Apache-2.0
import CCurl
import HTTPRules

/// A login that takes several requests on one connection, which libcurl carries out (RFC 4559 has the scheme's history; NTLM
/// itself is [MS-NLMP]). On the I/O thread.
///
/// libcurl sends a request without its body, reads the server's challenge in a 401, and sends the request itself. Each of
/// the heads arrives here, and nothing says whether another request follows: where a body or the end comes, none did.
extension Transfer {
  /// Tells libcurl the logins at the proxy and at the server. NTLM is for HTTP/1.1 alone: it is the connection that is logged
  /// in. Through a tunnel that a proxy opened after a login the server may speak HTTP/2.
  func configureLogin(_ handle: EasyHandle) {
    if request.proxy?.login != nil { _ = unsafe workbench_easy_log_in_at_proxy_by_ntlm(handle.raw) }
    if let login = request.proxy?.login ?? request.proxy?.socksLogin {
      handle.set(CURLOPT_PROXYUSERNAME, login.user)
      handle.set(CURLOPT_PROXYPASSWORD, login.password)
    }
    guard let login = request.login else { return }
    handle.hasSpecialOptions = true
    _ = unsafe workbench_easy_log_in_by_ntlm(handle.raw)
    handle.set(CURLOPT_USERNAME, login.user)
    handle.set(CURLOPT_PASSWORD, login.password)
    if request.isSecure { handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
  }

  /// Keeps back a head behind which the login may continue: a 401, the 407 of a forwarding proxy, or the answer to a request
  /// whose body was left out; and a 417, behind which libcurl sends the request once more.
  func holdsBack(_ head: ResponseHead) -> Bool {
    let logsInAtProxy = request.proxy?.login != nil && !isTunnelled
    guard request.login != nil || logsInAtProxy || head.status == 417 else { return false }
    switch head.status {
    case 417 where announcesContinue: break
    case 401 where request.login != nil, 407 where logsInAtProxy: break
    case ..<300 where reader?.hasBegun == false: break
    default: return false
    }
    heldHead = head
    return true
  }

  /// True if the request asks for a 100 before its body (RFC 9110 section 10.1.1).
  var announcesContinue: Bool { reader != nil && request.fields.contains { $0.isNamed("expect") } }

  /// The request goes out once more because the server does not meet the expectation: without it.
  func repeatsWithoutExpectation() {
    guard heldHead?.status == 417 else { return }
    let lines = headerLines.filter { !$0.lowercased().hasPrefix("expect:") } + ["Expect:"]
    handle?.setHeaders(pool.lastRequest.headerList(lines))
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
