// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// One request of a load and its result: a load has one for each redirect, each challenge and each repetition.
package struct LoadExchange: Sendable {
  /// A part of an exchange, from its begin to its end.
  package typealias Phase = (start: Date, end: Date)

  /// The request as it was sent.
  package let request: URLRequest
  /// The response, if its head arrived.
  package var response: URLResponse?
  /// When the load turned to it.
  package let started: Date
  /// True if the response came from the cache, and nothing from a server.
  package var isFromCache = false
  /// True if it went through a proxy.
  package var isProxied = false
  /// When the last bytes of the request's body were given to the connection; nil without a body.
  var bodySent: Date?
  /// The measurements of libcurl, from `started` on.
  var metrics = TransferMetrics()
}

// MARK: - Phases, nil where they did not happen

extension LoadExchange {
  /// The host's name was resolved; not on a reused connection, nor for a number in place of a name.
  package var domainLookup: Phase? {
    hasNumericHost ? nil : metrics.nameResolved.map { (started, date($0)) }
  }

  /// The connection was made, with TLS; not where it was reused.
  package var connecting: Phase? {
    metrics.connected.map { (date(metrics.nameResolved ?? .zero), date(metrics.secured ?? $0)) }
  }

  /// The TLS handshake.
  package var securing: Phase? {
    metrics.secured.map { (date(metrics.connected ?? $0), date($0)) }
  }

  /// The request was given to the connection.
  package var requesting: Phase? {
    metrics.requestStarted.map { (date($0), max(date($0), bodySent ?? started)) }
  }

  /// The response arrived.
  package var responding: Phase? {
    metrics.responseStarted.map { (date($0), date(max($0, metrics.total))) }
  }

  private func date(_ offset: Duration) -> Date { started.addingTimeInterval(offset / .seconds(1)) }

  /// IPv4 in digits, or IPv6, which is the only host with colons.
  private var hasNumericHost: Bool {
    guard let host = request.url?.host else { return false }
    return host.contains(":") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
  }
}

// MARK: - Connection and counts

extension LoadExchange {
  /// The protocol's ALPN name: "http/1.0", "http/1.1" or "h2".
  package var protocolName: String? { metrics.protocolName.isEmpty ? nil : metrics.protocolName }
  /// True if the connection had served another request before.
  package var isReusedConnection: Bool { metrics.isReusedConnection && metrics.requestStarted != nil }
  /// The version that the TLS handshake agreed on, by its number on the wire; nil without TLS.
  package var tlsVersion: UInt16? { metrics.agreement?.version }
  /// The number of the cipher suite; nil without TLS.
  package var tlsCipherSuite: UInt16? { metrics.agreement?.cipherSuite }
  /// Our address; nil without a connection.
  package var localAddress: String? { metrics.localAddress.isEmpty ? nil : metrics.localAddress }
  /// Our port; nil without a connection.
  package var localPort: Int? { metrics.localPort > 0 ? metrics.localPort : nil }
  /// The server's address; nil without a connection.
  package var remoteAddress: String? { metrics.remoteAddress.isEmpty ? nil : metrics.remoteAddress }
  /// The server's port; nil without a connection.
  package var remotePort: Int? { metrics.remotePort > 0 ? metrics.remotePort : nil }

  /// Bytes of the request's line and fields.
  package var requestHeadBytes: Int64 { metrics.requestHeadBytes }
  /// Bytes of the request's body.
  package var requestBodyBytes: Int64 { metrics.requestBodyBytes }
  /// Bytes of the response's heads.
  package var responseHeadBytes: Int64 { metrics.responseHeadBytes }
  /// Bytes of the response's body as they came.
  package var responseBodyBytes: Int64 { metrics.responseBodyBytes }
  /// Bytes of the response's body, decoded.
  package var decodedBodyBytes: Int64 { metrics.decodedBodyBytes }
}

/// The exchanges of a load so far, recorded where its client wants them.
struct ExchangeLog {
  /// True if exchanges are recorded for `LoadEnd`.
  var isKept = false
  private(set) var all: [LoadExchange] = []

  /// A transfer for `request` begins.
  mutating func begin(_ request: @autoclosure () -> URLRequest, isProxied: Bool = false) {
    guard isKept else { return }
    var exchange = LoadExchange(request: request(), started: Date())
    exchange.isProxied = isProxied
    all.append(exchange)
  }

  /// Adds to the last exchange.
  mutating func note(_ change: (inout LoadExchange) -> Void) {
    guard !all.isEmpty else { return }
    change(&all[all.count - 1])
  }
}
