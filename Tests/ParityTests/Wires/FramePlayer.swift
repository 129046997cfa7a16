// SPDX-License-Identifier: Apache-2.0
import CNGHTTP2
import LessonServer

/// Reads a client's frames, and does at once what a server must: answers SETTINGS and PING, opens the windows again, and closes the
/// connection behind a GOAWAY.
final class FramePlayer: RawPlayer {
  /// The client's answer to a PING with this value.
  struct Answered: Sendable, Equatable {
    let connection: Int
    /// Nil if it is over.
    let value: UInt32?
  }

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let connection: RawConnection
  private let answered: Board<Answered>
  /// False if the test answers SETTINGS: nothing may come before the server's own (RFC 9113 section 3.4).
  private let answersSettings: Bool
  /// True if a stream counts as asked once its request is whole; false from its head on.
  private let awaitsBodies: Bool
  private var begun: [UInt32: FrameServer.Stream] = [:]
  private let handle: (FrameServer.Stream) -> Void
  private let fields = FieldReader()
  private var waiting: [UInt8] = []
  private var hasPreface = false

  init(
    _ connection: RawConnection, _ answered: Board<Answered>, answersSettings: Bool, awaitsBodies: Bool,
    _ handle: @escaping (FrameServer.Stream) -> Void
  ) {
    (self.connection, self.answered, self.handle) = (connection, answered, handle)
    (self.answersSettings, self.awaitsBodies) = (answersSettings, awaitsBodies)
  }

  func ended() {
    answered.post(Answered(connection: connection.number, value: nil))
  }

  func received(_ bytes: [UInt8]) {
    waiting += bytes
    if !hasPreface {
      guard waiting.count >= Self.preface.count else { return }
      waiting.removeFirst(Self.preface.count)
      hasPreface = true
    }
    while waiting.count >= 9 {
      let length = Int(Self.number(waiting[0..<3]))
      guard waiting.count >= 9 + length else { return }
      let (kind, flags, stream) = (Frame.Kind(rawValue: waiting[3]), waiting[4], Self.number(waiting[5..<9]))
      let payload = Array(waiting[9..<(9 + length)])
      waiting.removeFirst(9 + length)
      take(kind, flags, stream, payload)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  private func take(_ kind: Frame.Kind?, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) {
    // ACK and END_STREAM are the same bit (RFC 9113 section 6).
    let isAnswer = flags & Frame.isAnswer != 0
    switch kind {
    case .settings where !isAnswer && answersSettings: connection.send(Frame(.settings, flags: Frame.isAnswer))
    case .ping where !isAnswer: connection.send(Frame(.ping, flags: Frame.isAnswer, payload))
    case .ping: answered.post(Answered(connection: connection.number, value: Self.number(payload.suffix(4))))
    case .data:
      let size = UInt32(payload.count)
      if size > 0 { connection.send(.window(0, size)) }
      if size > 0, !isAnswer { connection.send(.window(stream, size)) }
      if isAnswer, let whole = begun.removeValue(forKey: stream) { handle(whole) }
    case .goAway: connection.end(.fin)
    case .headers:
      // RFC 9113 section 6.2: the length of a padding, then a priority. libcurl's heads fit into one frame.
      var block = payload[...]
      if flags & Frame.isPadded != 0, let padding = block.popFirst() { block = block.dropLast(Int(padding)) }
      if flags & 32 != 0 { block = block.dropFirst(5) }
      let path = fields.read(Array(block)).first { $0.name == ":path" }?.value
      guard let path else { return }
      let head = FrameServer.Stream(path: path, id: stream, connection: connection)
      if awaitsBodies, !isAnswer { begun[stream] = head } else { handle(head) }
    default: break
    }
  }
}

/// nghttp2's reader of field blocks, with the table of one connection.
private final class FieldReader {
  private var inflater: OpaquePointer?

  init() {
    nghttp2_hd_inflate_new(&inflater)
  }

  deinit {
    nghttp2_hd_inflate_del(inflater)
  }

  func read(_ block: [UInt8]) -> [Frame.Field] {
    var fields: [Frame.Field] = []
    block.withUnsafeBufferPointer { block in
      var rest = block[...]
      while true {
        var (field, flags) = (nghttp2_nv(), CInt(0))
        let base = rest.isEmpty ? nil : UnsafeBufferPointer(rebasing: rest).baseAddress
        let count = nghttp2_hd_inflate_hd2(inflater, &field, &flags, base, rest.count, 1)
        guard count >= 0 else { return }
        rest = rest.dropFirst(count)
        if flags & CInt(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
          fields.append((Self.text(field.name, field.namelen), Self.text(field.value, field.valuelen)))
        }
        if flags & CInt(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
      }
    }
    nghttp2_hd_inflate_end_headers(inflater)
    return fields
  }

  private static func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
