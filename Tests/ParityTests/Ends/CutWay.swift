// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// A way in which a stream ends without END_STREAM while its body is on its way. None of them ends a message (RFC 9113
/// section 8.1).
struct CutWay: Sendable {
  /// Who is hit.
  enum Reach: Sendable {
    /// The stream alone: the connection stands, and its other streams go on.
    case stream
    /// The connection with all its streams; or the stream, where the client may choose (RFC 9113 section 5.4).
    case connection
  }

  let name: String
  let reach: Reach
  /// Sends what does it, on a stream in mid body.
  let play: @Sendable (FrameServer.Stream) -> Void

  init(_ name: String, _ reach: Reach = .connection, _ play: @escaping @Sendable (FrameServer.Stream) -> Void) {
    (self.name, self.reach, self.play) = (name, reach, play)
  }

  /// One frame on the stream of the request, or on the connection.
  private static func one(_ name: String, _ frame: @escaping @Sendable (FrameServer.Stream) -> Frame) -> CutWay {
    CutWay(name) { $0.send(frame($0)) }
  }

  static let all = settings + windows + lengths + strays + blocks + closes

  /// Those that a libcurl which knows nothing of them cannot tell from an end: a reset that names no error.
  static let resetsWithoutError = [
    CutWay("RST_STREAM without error", .stream) { $0.send(.reset($0.id, 0)) },
    CutWay("GOAWAY without error, then RST_STREAM without error", .stream) {
      $0.send(.goAway(last: lastStream), .reset($0.id, 0))
    },
  ]

  private static let lastStream = UInt32(Int32.max)

  /// RFC 9113 section 6.5.
  private static let settings = [
    one("SETTINGS of 5 bytes") { _ in Frame(.settings, Array("12345".utf8)) },
    one("SETTINGS, an answer with 6 bytes") { _ in Frame(.settings, flags: Frame.isAnswer, Array("123456".utf8)) },
    one("SETTINGS, a window of 2^31") { _ in .settings([(4, 1 << 31)]) },
    one("SETTINGS, frames of 100 bytes") { _ in .settings([(5, 100)]) },
    one("SETTINGS, ENABLE_PUSH 7") { _ in .settings([(2, 7)]) },
  ]

  /// RFC 9113 section 6.9.
  private static let windows = [
    one("WINDOW_UPDATE of 0, connection") { _ in .window(0, 0) },
    one("WINDOW_UPDATE of 0, stream") { .window($0.id, 0) },
    CutWay("WINDOW_UPDATE beyond 2^31") { $0.send(.window(0, lastStream), .window(0, lastStream)) },
  ]

  /// RFC 9113 section 4.2: frames of a length that their type does not have.
  private static let lengths = [
    one("DATA with more padding than bytes") {
      Frame(.data, flags: Frame.isPadded | Frame.endsStream, stream: $0.id, [200] + Array("short".utf8))
    },
    one("DATA of 40,000 bytes") { .data($0.id, Array(repeating: 120, count: 40_000)) },
    one("PING of 3 bytes") { _ in Frame(.ping, [1, 2, 3]) },
    one("GOAWAY of 3 bytes") { _ in Frame(.goAway, [1, 2, 3]) },
    one("RST_STREAM of 3 bytes") { Frame(.reset, stream: $0.id, [1, 2, 3]) },
  ]

  /// RFC 9113 section 5.1: frames on streams that are not the client's or not yet there.
  private static let strays = [
    one("DATA on stream 0") { _ in .data(0, [120]) },
    one("RST_STREAM on stream 0") { _ in .reset(0, 0) },
    one("RST_STREAM on an idle stream") { .reset($0.id + 50, 0) },
    one("DATA on an idle stream") { .data($0.id + 50, [120], ends: true) },
    one("HEADERS on an idle stream") { .headers($0.id + 50, [(":status", "200")], ends: true) },
    one("HEADERS on a stream of the server's") { _ in .headers(2, [(":status", "200")], ends: true) },
    CutWay("PUSH_PROMISE, which is switched off") {
      let fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/pushed")]
      let promise = Frame(.promise, flags: Frame.endsFields, stream: $0.id, Frame.number(2) + Frame.block(fields))
      $0.send(promise, .headers(2, [(":status", "200")]), .data(2, Array("pushed".utf8), ends: true))
    },
  ]

  /// RFC 9113 sections 4.3 and 6.10.
  private static let blocks = [
    one("an index beyond the table") {
      Frame(.headers, flags: Frame.endsFields, stream: $0.id, [0xFF, 0xFF, 0xFF, 0x7F])
    },
    one("CONTINUATION of nothing") { Frame(.continuation, flags: Frame.endsFields, stream: $0.id, [0x88]) },
    CutWay("PING within a block") {
      $0.send(Frame(.headers, stream: $0.id, Frame.block([("x", "1")])), .ping(1))
    },
    CutWay("HTTP/1.1 in place of frames") { stream in
      let text = String(repeating: "HTTP/1.1 400 Bad\r\n\r\n", count: 20)
      stream.connection.send(Array(text.utf8))
    },
  ]

  private static let closes = [
    CutWay("GOAWAY without error, then the end of TCP") {
      $0.send(.goAway(last: lastStream))
      $0.connection.end(.bareFin)
    },
    CutWay("the end of TCP") { $0.connection.end(.bareFin) },
    CutWay("close_notify") { $0.connection.end(.fin) },
  ]
}
