// SPDX-License-Identifier: Apache-2.0
import CCurl

/// What is known of a stream of HTTP/2, beside libcurl's result, when its transfer has ended.
struct StreamEnd {
  /// True if the request went out on a stream of HTTP/2.
  var isStream = false
  /// True if the connection was there before the transfer, over TLS.
  var isReused = false
  /// True if the body's coding has an end of its own, which has come.
  var isCodingWhole = false
  /// True if the request has a body.
  var isUpload = false
  /// True if libcurl has the whole request.
  var isRequestSent = true
  /// True if the connection may have ended by an error of which libcurl says nothing (`LastRecords`).
  var mayBeCut = false
  /// True if the server has not closed the connection.
  var isPeerThere = false
}

/// The meaning that the end of a stream or connection of HTTP/2 has for a request (RFC 9113 sections 6.8, 8.1 and 8.7).
extension TransferMachine {
  /// True to send the request once more after this end, on a new connection.
  func repeats(after code: CURLcode, _ stream: StreamEnd) -> Bool {
    guard use == .exchange, !hasHeadBytes, isUntouched ? mayFollowRefusal : connections == 1 else { return false }
    switch code {
    // libcurl repeats by itself where the first read fails, but not where HTTP/2 finds the end of the connection. CURLE_HTTP2 is
    // its word for a session that takes no more streams, after GOAWAY, and since 8.14 for one that was closed, too. Before 8.5 an
    // answer that comes together with GOAWAY is lost without a word.
    case CURLE_OK: return stream.isStream && isIdempotent && (stream.isReused || stream.isPeerThere)
    case CURLE_HTTP2 where isIdempotent && stream.isPeerThere: return true
    // What comes first on a kept connection and is no answer are bytes beyond the answer before, which come a moment late.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return isIdempotent && isReused
    case CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      return isUntouched || (isIdempotent && stream.isReused)
    default: return false
    }
  }

  /// The server gave its whole answer before it had the whole request, and ended the stream without an error: that is the
  /// answer (RFC 9113 section 8.1). libcurl ends such a stream alike with and without END_STREAM, so only a length or a
  /// coding's own end shows that nothing is missing.
  func isAnsweredByStream(_ code: CURLcode, _ stream: StreamEnd) -> Bool {
    guard endsStreams(code), stream.isUpload, let head, head.version == "HTTP/2" else { return false }
    return head.contentLength.map { bodyBytes == $0 } ?? stream.isCodingWhole
  }

  /// True if libcurl says so where a stream ends before the request has been sent, or its connection.
  private func endsStreams(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR: true
    default: false
    }
  }

  /// True if nothing is missing of a response of HTTP/2 while the request's body may still be on its way.
  var isWholeByLength: Bool { head.map { $0.version == "HTTP/2" && $0.contentLength == bodyBytes } ?? false }

  /// True if only the end of the stream shows the end of the response's body.
  var dependsOnStreamEnd: Bool { head.map { $0.version == "HTTP/2" && $0.contentLength == nil && !hasNoBody } ?? false }

  /// What libcurl overlooks at the end of a stream, for it calls a stream ended that was cut without an error (RST_STREAM with
  /// NO_ERROR): only END_STREAM ends a message (RFC 9113 section 8.1).
  func streamFault(_ stream: StreamEnd) -> TransferFailure? {
    guard let head, head.version == "HTTP/2" else { return nil }
    if let length = head.contentLength, !hasNoBody, bodyBytes > length {
      return .malformed("The response's body has more than the \(length) bytes that its head announces.")
    }
    if hasStreamError {
      return TransferFailure(.connectionLost, description: "The server ended the stream with an error.")
    }
    guard dependsOnStreamEnd, !stream.isCodingWhole else { return nil }
    guard stream.isRequestSent, !stream.mayBeCut, !wasOwnStreamReset else {
      return TransferFailure(
        .connectionLost, description: "The stream was cut: nothing shows that the response's body is complete.")
    }
    return nil
  }
}
