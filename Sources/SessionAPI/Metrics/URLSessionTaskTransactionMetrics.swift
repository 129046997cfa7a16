// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// The measurements of one request and its response. A date is nil where that phase did not happen.
///
/// Differences from Apple: the times are libcurl's. `isCellular`, `isExpensive` and `isConstrained` are always false,
/// because Linux does not say.
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.

  private let exchange: LoadExchange

  init(_ exchange: LoadExchange) {
    self.exchange = exchange
  }

  // MARK: Messages

  /// The request, as it was sent.
  open var request: URLRequest { exchange.request }
  /// The response, if its head arrived.
  open var response: URLResponse? { exchange.response }
  /// Where the response came from.
  open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType {
    exchange.isFromCache ? .localCache : exchange.response == nil ? .unknown : .networkLoad
  }

  // MARK: Phases

  /// The task turned to this request.
  open var fetchStartDate: Date? { exchange.started }
  /// The host's name began to be resolved; nil on a reused connection and for a number in place of a name.
  open var domainLookupStartDate: Date? { exchange.domainLookup?.start }
  /// The host's name was resolved.
  open var domainLookupEndDate: Date? { exchange.domainLookup?.end }
  /// The connection began to be made; nil on a reused one.
  open var connectStartDate: Date? { exchange.connecting?.start }
  /// The connection stood, with TLS.
  open var connectEndDate: Date? { exchange.connecting?.end }
  /// The TLS handshake began; nil on a plain or a reused connection.
  open var secureConnectionStartDate: Date? { exchange.securing?.start }
  /// The TLS handshake was done.
  open var secureConnectionEndDate: Date? { exchange.securing?.end }
  /// The request began to be sent.
  open var requestStartDate: Date? { exchange.requesting?.start }
  /// The last bytes of the request were given to the connection.
  open var requestEndDate: Date? { exchange.requesting?.end }
  /// The first byte of the response arrived.
  open var responseStartDate: Date? { exchange.responding?.start }
  /// The last byte of the response arrived, or the task gave it up.
  open var responseEndDate: Date? { exchange.responding?.end }

  // MARK: Connection

  /// The protocol's ALPN name: "http/1.0", "http/1.1" or "h2".
  open var networkProtocolName: String? { exchange.protocolName }
  /// True if the request went through a proxy, whose address is then the remote one.
  open var isProxyConnection: Bool { exchange.isProxied }
  /// True if the connection had served another request before.
  open var isReusedConnection: Bool { exchange.isReusedConnection }
  /// Our address; nil without a connection.
  open var localAddress: String? { exchange.localAddress }
  /// Our port; nil without a connection.
  open var localPort: Int? { exchange.localPort }
  /// The server's address; nil without a connection.
  open var remoteAddress: String? { exchange.remoteAddress }
  /// The server's port; nil without a connection.
  open var remotePort: Int? { exchange.remotePort }
  /// The version of TLS that was agreed on; nil on a plain connection and where no handshake came to its end.
  open var negotiatedTLSProtocolVersion: tls_protocol_version_t? {
    exchange.tlsVersion.flatMap { tls_protocol_version_t(rawValue: $0) }
  }
  /// The cipher suite that was agreed on; nil where the version is.
  open var negotiatedTLSCipherSuite: tls_ciphersuite_t? {
    exchange.tlsCipherSuite.map { tls_ciphersuite_t(rawValue: $0) }
  }
  /// Always false.
  open var isCellular: Bool { false }
  /// Always false.
  open var isExpensive: Bool { false }
  /// Always false.
  open var isConstrained: Bool { false }
  /// Always false: the connection is plain TCP.
  open var isMultipath: Bool { false }
  /// How the name was resolved: the system's affair.
  open var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol { .unknown }

  // MARK: Counts, in bytes

  /// The request's line and header fields.
  open var countOfRequestHeaderBytesSent: Int64 { exchange.requestHeadBytes }
  /// The request's body on the wire.
  open var countOfRequestBodyBytesSent: Int64 { exchange.requestBodyBytes }
  /// The request's body as it was given.
  open var countOfRequestBodyBytesBeforeEncoding: Int64 { exchange.requestBodyBytes }
  /// The response's line and header fields, with those of interim responses.
  open var countOfResponseHeaderBytesReceived: Int64 { exchange.responseHeadBytes }
  /// The response's body, before content codings are undone.
  open var countOfResponseBodyBytesReceived: Int64 { exchange.responseBodyBytes }
  /// The response's body, after content codings are undone.
  open var countOfResponseBodyBytesAfterDecoding: Int64 { exchange.decodedBodyBytes }
}
