// SPDX-License-Identifier: Apache-2.0

/// The phases of a transfer as libcurl measured them: offsets from its start, nil for a phase that did not happen.
public struct TransferMetrics: Sendable, Hashable {
  /// The host's name was resolved (CURLINFO_NAMELOOKUP_TIME_T); nil on a reused connection.
  public var nameResolved: Duration?
  /// The TCP connection stood (CURLINFO_CONNECT_TIME_T); nil on a reused connection.
  public var connected: Duration?
  /// The TLS handshake was done (CURLINFO_APPCONNECT_TIME_T); nil without TLS and on a reused connection.
  public var secured: Duration?
  /// The request was about to be sent (CURLINFO_PRETRANSFER_TIME_T).
  public var requestStarted: Duration?
  /// The first byte of the response arrived (CURLINFO_STARTTRANSFER_TIME_T).
  public var responseStarted: Duration?
  /// The end (CURLINFO_TOTAL_TIME_T).
  public var total: Duration = .zero
  /// True if the connection had served a request before (CURLINFO_NUM_CONNECTS is 0).
  public var isReusedConnection = false
  /// Bytes of the request's head and body on the wire (CURLINFO_REQUEST_SIZE, CURLINFO_SIZE_UPLOAD_T).
  public var requestHeadBytes: Int64 = 0
  /// Bytes of the request's body that were sent.
  public var requestBodyBytes: Int64 = 0
  /// Bytes of the response's heads and trailers (CURLINFO_HEADER_SIZE).
  public var responseHeadBytes: Int64 = 0
  /// Bytes of the response's body before decoding.
  public var responseBodyBytes: Int64 = 0
  /// Bytes of the response's body after decoding.
  public var decodedBodyBytes: Int64 = 0
  /// The peer's address and port (CURLINFO_PRIMARY_IP, CURLINFO_PRIMARY_PORT), empty and 0 without a connection.
  public var remoteAddress = ""
  /// The peer's port.
  public var remotePort = 0
  /// Our own address (CURLINFO_LOCAL_IP).
  public var localAddress = ""
  /// Our own port.
  public var localPort = 0
  /// The agreement of the TLS handshake of the connection, also of a reused one; nil without TLS.
  public var agreement: TLSAgreement?
  /// The protocol's ALPN name: "http/1.0", "http/1.1" or "h2"; empty before a response.
  public var protocolName = ""

  /// Metrics of a transfer that never began.
  public init() {}
}
