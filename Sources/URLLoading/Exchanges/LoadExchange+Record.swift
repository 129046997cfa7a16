// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// An exchange as it is written down for another process. What a server was shown to know the client by is left out:
/// credentials are kept nowhere.
extension LoadExchange {
  private struct Written: Codable {
    var url: URL
    var method: String
    var fields: [String: String]
    var timeout: Double
    var response: Answer?
    var started: Date
    var isProxied: Bool
    var bodySent: Date?
    var metrics: Measured
  }

  /// The measurements of libcurl.
  private struct Measured: Codable {
    /// When each phase was over, from the start on, in the order of `TransferMetrics`; nil for what did not happen.
    var instants: [Duration?]
    var total: Duration
    var isReused: Bool
    /// Bytes of the request's head and body, of the response's head and body, and of the decoded body.
    var counts: [Int64]
    var addresses: [String]
    var ports: [Int]
    /// The version and the cipher suite of TLS.
    var agreement: [UInt16]?
    var protocolName: String

    init(_ metrics: TransferMetrics) {
      instants = [
        metrics.nameResolved, metrics.connected, metrics.secured, metrics.requestStarted, metrics.responseStarted,
      ]
      (total, isReused, protocolName) = (metrics.total, metrics.isReusedConnection, metrics.protocolName)
      counts = [
        metrics.requestHeadBytes, metrics.requestBodyBytes, metrics.responseHeadBytes, metrics.responseBodyBytes,
        metrics.decodedBodyBytes,
      ]
      addresses = [metrics.remoteAddress, metrics.localAddress]
      ports = [metrics.remotePort, metrics.localPort]
      agreement = metrics.agreement.map { [$0.version, $0.cipherSuite] }
    }

    /// nil where a list has another length.
    var metrics: TransferMetrics? {
      guard instants.count == 5, counts.count == 5, addresses.count == 2, ports.count == 2,
        agreement?.count ?? 2 == 2
      else { return nil }
      var metrics = TransferMetrics()
      (metrics.nameResolved, metrics.connected, metrics.secured) = (instants[0], instants[1], instants[2])
      (metrics.requestStarted, metrics.responseStarted) = (instants[3], instants[4])
      (metrics.total, metrics.isReusedConnection, metrics.protocolName) = (total, isReused, protocolName)
      (metrics.requestHeadBytes, metrics.requestBodyBytes) = (counts[0], counts[1])
      (metrics.responseHeadBytes, metrics.responseBodyBytes) = (counts[2], counts[3])
      metrics.decodedBodyBytes = counts[4]
      (metrics.remoteAddress, metrics.localAddress) = (addresses[0], addresses[1])
      (metrics.remotePort, metrics.localPort) = (ports[0], ports[1])
      metrics.agreement = agreement.map { TLSAgreement(version: $0[0], cipherSuite: $0[1]) }
      return metrics
    }
  }

  private struct Answer: Codable {
    var url: URL
    var status: Int
    var fields: [String: String]
    var isDecoded: Bool
  }

  /// Fields of a request that no file may have, in small letters.
  package static let secrets: Set = ["authorization", "proxy-authorization", "cookie"]

  /// As JSON, without credentials; nil for a request without a URL.
  package var data: Data? {
    guard let url = request.url else { return nil }
    var answer: Answer?
    if let response = response as? HTTPURLResponse, let url = response.url {
      let fields = response.allHeaderFields.map { ("\($0.key.base)", "\($0.value)") }
      answer = Answer(
        url: LoadError.withoutUser(url), status: response.statusCode, fields: Dictionary(fields) { first, _ in first },
        isDecoded: response.expectedContentLength < 0)
    }
    let fields = (request.allHTTPHeaderFields ?? [:]).filter { !Self.secrets.contains($0.key.lowercased()) }
    let timeout = request.timeoutInterval
    let written = Written(
      url: LoadError.withoutUser(url), method: request.httpMethod ?? "GET", fields: fields,
      timeout: timeout.isFinite ? timeout : 1e9,
      response: answer, started: started, isProxied: isProxied, bodySent: bodySent, metrics: Measured(metrics))
    return try? JSONEncoder().encode(written)
  }

  /// Reads what `data` has written; nil for anything else.
  package init?(data: Data) {
    guard let written = try? JSONDecoder().decode(Written.self, from: data), let metrics = written.metrics.metrics
    else { return nil }
    var request = URLRequest(url: written.url)
    (request.httpMethod, request.timeoutInterval) = (written.method, written.timeout)
    for (name, value) in written.fields { request.setValue(value, forHTTPHeaderField: name) }
    let response = written.response.flatMap { answer in
      LoadedResponse(
        url: answer.url, status: answer.status, version: "HTTP/1.1", fields: answer.fields,
        isDecoded: answer.isDecoded)
    }
    self.init(
      request: request, response: response, started: written.started, isProxied: written.isProxied,
      bodySent: written.bodySent, metrics: metrics)
  }
}
