// SPDX-License-Identifier: Apache-2.0
import CCurl

/// A tunnel that a proxy was asked for. Most transfers have none.
final class ProxyTunnel {
  /// Judges what the proxy answers to CONNECT.
  var judge = HeadJudge(requestMethod: "CONNECT")
  /// That answer.
  var head: ResponseHead?
}

/// How a transfer goes through a proxy, on the I/O thread.
extension Transfer {
  /// True if a proxy opens a tunnel for this transfer, in place of handing its request on.
  var isTunnelled: Bool {
    switch request.proxy?.kind {
    case .tunnel: true
    case .http: request.isSecure || request.use != .exchange
    case .socks5, nil: false
    }
  }

  /// The answer of the proxy to CONNECT where that was a refusal. On the I/O thread.
  public var tunnelRefusal: ResponseHead? { tunnel?.head.flatMap { (200...299).contains($0.status) ? nil : $0 } }

  /// Sets the proxy's options; those that the environment could set otherwise are set for every handle (`prepare(_:)`).
  /// A field for the proxy never goes to the server, nor the other way round (CURLOPT_HEADEROPT).
  func configureProxy(_ handle: EasyHandle) {
    guard let proxy = request.proxy else { return }
    handle.set(CURLOPT_PROXY, proxy.address)
    handle.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    guard isTunnelled else { return }
    handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
    handle.setProxyHeaders(proxyLines)
  }

  /// The lines of a head that are for a proxy alone. libcurl's own Proxy-Connection is in no standard.
  var proxyLines: [String] {
    guard let proxy = request.proxy, proxy.kind != .socks5 else { return [] }
    return ["Proxy-Connection:"] + (proxy.authorization.map { ["Proxy-Authorization: \($0)"] } ?? [])
  }

  /// A connection begins to be made: the first head that comes on it is the proxy's.
  func tunnelBegins() {
    guard isTunnelled else { return }
    tunnel = ProxyTunnel()
  }

  /// A line of the proxy's answer to CONNECT; false to make the transfer fail. nil when there is no tunnel to wait for. In a
  /// login libcurl asks several times on one connection, and the last answer counts.
  func tunnelLine(_ line: Span<UInt8>) -> Bool? {
    if request.proxy?.login != nil, tunnel?.head != nil, line.begins(with: "HTTP/") { tunnel = ProxyTunnel() }
    guard let verdict = tunnel?.judge.line(line) else { return nil }
    machine.moved(now: now)
    switch verdict {
    case .final(let head): tunnel?.head = head
    case .fault(let failure):
      machine.failed(failure)
      return false
    case .more, .interim, .trailer: break
    }
    return true
  }

  /// The failure behind libcurl's number where the proxy would not have the tunnel.
  func tunnelFailure(_ code: CURLcode) -> TransferFailure? {
    guard code != CURLE_OK, let head = tunnelRefusal else { return nil }
    return TransferFailure(
      head.status == 407 ? .proxyAuthenticationRequired : .proxyRefused, curlCode: Int32(code.rawValue),
      description: "The proxy answered \(head.status) to CONNECT.")
  }
}
