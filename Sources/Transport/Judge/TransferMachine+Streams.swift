// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The meaning that the end of a stream or connection of HTTP/2 has for a request (RFC 9113 sections 6.8, 8.1 and 8.7).
extension TransferMachine {
  /// Reads libcurl's reports of streams, which are text alone. Where another version words them otherwise, nothing is
  /// known, and a request that is not idempotent is not repeated.
  mutating func streamNews(_ text: String, ownStream: inout UInt32?) {
    if text.hasPrefix("Using Stream ID: ") {
      ownStream = Self.number(in: text, after: "Using Stream ID: ")
    } else if text.hasPrefix("REFUSED_STREAM") {
      wasNotTouched()
    } else if let last = Self.number(in: text, after: "GOAWAY, error=0, last_stream="), let own = ownStream, own > last
    {
      wasNotTouched()
    } else if text.hasPrefix("HTTP/2 stream"), text.firstRange(of: "was not closed cleanly") != nil,
      text.firstRange(of: Self.cancellation) == nil
    {
      streamFailed()
    }
  }

  /// libcurl's text for RST_STREAM(CANCEL): the server refuses the rest of the request. A response that is whole stays valid.
  private static let cancellation = "(err 8)"

  private static func number(in text: String, after words: String) -> UInt32? {
    text.firstRange(of: words).flatMap { UInt32(text[$0.upperBound...].prefix { $0.isNumber }) }
  }

  /// True to send the request once more after this end, on a new connection.
  func repeats(after code: CURLcode, isReused: Bool) -> Bool {
    guard use == .exchange, connections == 1, !hasHeadBytes else { return false }
    switch code {
    // libcurl's word for a session that takes no more streams: after GOAWAY.
    case CURLE_HTTP2: return mayRepeat
    // libcurl repeats by itself where the first read fails, but not where HTTP/2 finds the end of the connection.
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      return isUntouched || (isIdempotent && isReused)
    default: return false
    }
  }

  /// The server gave its whole answer before it had the whole request, and ended the stream without an error: that is the
  /// answer (RFC 9113 section 8.1). libcurl ends such a stream alike with and without END_STREAM, so only a length or a
  /// coding's own end (`isContentProven`) shows that nothing is missing.
  func isAnsweredByStream(_ code: CURLcode, isContentProven: Bool) -> Bool {
    guard code == CURLE_HTTP2_STREAM, !hasStreamError, let head, head.version == "HTTP/2" else { return false }
    return head.contentLength.map { bodyBytes == $0 } ?? isContentProven
  }

  /// True if nothing is missing of a response of HTTP/2 while the request's body may still be on its way.
  var isWholeByLength: Bool { head.map { $0.version == "HTTP/2" && $0.contentLength == bodyBytes } ?? false }
}
