// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import HTTPRules

/// One request, ready to be sent: the transport adds nothing but `Host`, `Accept: */*` and the framing of the body.
public struct TransferRequest: Sendable {
  /// Absolute, ASCII, http or https, without user name, password and fragment.
  public var url: String
  /// True if it goes over TLS: a look at a single byte, since every step of a request asks.
  public var isSecure: Bool {
    let bytes = url.utf8.span
    return bytes.count > 4 && bytes[4] == UInt8(ascii: "s")
  }
  /// A token such as GET.
  public var method: String
  /// Sent in this order. Each must be `isSendable`.
  public var fields: [HeaderField] = []
  /// The body that is sent after the head.
  public var body: TransferBody = .none
  /// How long nothing may move, in either direction, before the transfer fails as timed out; nil for no limit. It does
  /// not run while the transfer waits for a connection below the limit per host, nor while it is paused.
  public var idleTimeout: Duration?
  /// How long the whole transfer may take from its start; nil for no limit.
  public var totalTimeout: Duration?
  /// Offers gzip and deflate to the server, over TLS Brotli, too, and takes off the codings it then applies.
  public var decodesContent = false

  /// The requirement on the server's certificate, over https.
  public var peerPolicy = PeerPolicy.verify

  /// The policy when the server asks for a certificate, over https.
  public var identityPolicy = IdentityPolicy.none

  /// The TLS versions that may be spoken over https (CURLOPT_SSLVERSION); the same for all requests of a transport to
  /// one origin.
  public var versions = TLSVersions()

  /// The user that logs in on the connection, for a transport that serves this user alone.
  public var login: ConnectionLogin?

  /// The purpose of the connection.
  public var use = ConnectionUse.exchange

  /// The proxy that the request goes through; nil for the way straight to the server.
  public var proxy: Proxy?

  /// True if a redirect led here. A server may close behind one, and a request that it must not see twice then takes a new
  /// connection (RFC 9112 section 9.3.1).
  public var isRedirected = false

  /// True if `Transfer.metrics` are wanted; without, they are all zero.
  public var isMeasured = true

  /// The number under which the timeline knows the load this transfer belongs to.
  public var subject: UInt64 = 0

  /// A request for `url`.
  public init(url: String, method: String = "GET") {
    self.url = url
    self.method = method
  }

  /// The target in origin form: path and query as they are written (RFC 9112 section 3.2.1).
  package var target: String {
    let path = url[pathStart...]
    return (path.hasPrefix("/") ? "" : "/") + path
  }

  /// The target in absolute form, which a proxy gets that hands the request on (RFC 9112 section 3.2.2).
  var absoluteTarget: String { url[..<pathStart] + target }

  /// Behind scheme and authority.
  private var pathStart: String.Index {
    let authority = url.utf8.dropFirst((isSecure ? "https://" : "http://").utf8.count)
    return authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? url.endIndex
  }
}

/// The body of a request.
public enum TransferBody: Sendable {
  /// No body, and no field that announces one.
  case none
  /// Bytes in memory; an empty body announces its length 0.
  case bytes(Data)
  /// Bytes that the source makes as they are needed. Without a length they are sent chunked (RFC 9112 section 7.1).
  case source(any BodySource, length: Int64?)
}

/// Makes the bytes of a request's body, on the I/O thread. It must not block.
public protocol BodySource: AnyObject, Sendable {
  /// Fills a part of `buffer`, which is at least 16 KiB.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead

  /// Starts again from the first byte, for a connection that was lost before anything was answered. False when that is
  /// impossible: the transfer then fails with `TransferFailure.Cause.bodyNotRepeatable`.
  func rewind() -> Bool

  /// Why a read failed, as a sentence; nil for no more than that it did.
  var failure: String? { get }
}

extension BodySource {
  /// No more than that it did.
  public var failure: String? { nil }
}

/// The answer of a `BodySource` to a read.
public enum BodyRead: Sendable {
  /// This many bytes were put into the buffer, at least 1.
  case bytes(Int)
  /// Nothing now; `Transfer.resumeSending()` will say when to ask again.
  case wait
  /// The body is complete.
  case end
  /// The body cannot be had; the transfer fails with `TransferFailure.Cause.bodyUnreadable`.
  case failed
}
