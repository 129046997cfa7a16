// SPDX-License-Identifier: Apache-2.0

/// A sentence of libcurl's log about a stream or a connection of HTTP/2 (RFC 9113), which no other interface of it tells.
///
/// The words differ by version, and no success rests on them: a stream that failed or was reset makes an error of what libcurl
/// calls a success, and what the server refused unseen may be repeated. Other words are no news, and then neither is done. A
/// server's own words stand in other places of the log; so each sentence is read from its first byte.
enum StreamNews: Equatable {
  /// REFUSED_STREAM: the server has not worked on the request, and libcurl repeats it (section 8.7).
  case refused
  /// The server ended the stream with an error other than CANCEL, by which it refuses the rest of a request.
  case failed
  /// GOAWAY without an error: the server works on no stream above this one (section 6.8).
  case wentAway(behind: UInt32)
  /// RST_STREAM for that stream, which may be another transfer's; `isRefused` with REFUSED_STREAM.
  case reset(UInt32, isRefused: Bool)
  /// The transfer's own stream has this number.
  case own(UInt32)

  init?(_ text: Span<UInt8>) {
    guard let news = Self.sentence(text) else { return nil }
    self = news
  }

  private static func sentence(_ text: Span<UInt8>) -> StreamNews? {
    guard let first = text.isEmpty ? nil : text[0] else { return nil }
    switch first {
    case UInt8(ascii: "["): return frame(text)
    case UInt8(ascii: "R"): return text.begins(with: "REFUSED_STREAM") ? .refused : nil
    case UInt8(ascii: "r"):
      // 7.88 has a slip of the pen in the first word.
      for words in ["received GOAWAY, error=0, last_stream=", "recveived GOAWAY, error=0, last_stream="]
      where text.begins(with: words) {
        return number(text, from: words.utf8.count).map { .wentAway(behind: $0.value) }
      }
      return nil
    case UInt8(ascii: "U"):
      return text.begins(with: using) ? number(text, from: using.utf8.count).map { .own($0.value) } : nil
    case UInt8(ascii: "H"): return text.begins(with: "HTTP/2 stream ") ? failure(text.text) : nil
    default: return nil
    }
  }

  /// Up to 8.2.
  private static let using = "Using Stream ID: "

  /// `HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)`, since 8.21 `HTTP/2 stream 1 reset by server (error 0x1 …)`.
  private static func failure(_ text: String) -> StreamNews? {
    let isError = text.contains("was not closed cleanly: ") && !text.contains("(err 8)")
    let isReset =
      text.contains(" reset by server (error 0x") && !text.contains("(error 0x0 ") && !text.contains("(error 0x8 ")
    return isError || isReset ? .failed : nil
  }

  /// libcurl 8.3 and later write `[HTTP/2] [1] OPENED stream for …`; with `curl_global_trace` also `[HTTP/2] [1] CLOSED` and
  /// `[HTTP/2] [1] <- FRAME[RST_STREAM, len=4, flags=0, error=0]`.
  private static func frame(_ text: Span<UInt8>) -> StreamNews? {
    guard text.begins(with: "[HTTP/2"), let end = text.firstIndex(of: UInt8(ascii: "]")), end + 3 < text.count,
      text[end + 2] == UInt8(ascii: "["), let stream = number(text, from: end + 3), stream.value > 0
    else { return nil }
    let rest = text.extracting(droppingFirst: stream.end)
    if rest.begins(with: "] <- FRAME[RST_STREAM,") {
      return .reset(stream.value, isRefused: rest.text.contains(", error=7]"))
    }
    return rest.begins(with: "] CLOSED") || rest.begins(with: "] OPENED stream for ") ? .own(stream.value) : nil
  }

  private static func number(_ text: Span<UInt8>, from start: Int) -> (value: UInt32, end: Int)? {
    var (value, index) = (UInt64(0), start)
    while index < text.count, (48...57).contains(text[index]), value <= UInt64(UInt32.max) {
      value = value * 10 + UInt64(text[index] - 48)
      index += 1
    }
    return index > start ? UInt32(exactly: value).map { ($0, index) } : nil
  }
}
