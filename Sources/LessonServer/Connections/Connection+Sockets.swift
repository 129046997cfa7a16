// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Glibc

/// Connections on which bytes go both ways: echoes, and WebSockets (RFC 6455) from the server's side.
extension Connection {
  /// Sends back whatever comes.
  func echo() throws(ConnectionEnd) {
    while true {
      if input.count == 0 {
        let count = wire.receive(input.room(64 << 10))
        guard count > 0 else { return }
        input.append(count)
      }
      let bytes = Array(input.bytes)
      input.consume(bytes.count)
      try send(bytes)
    }
  }

  // MARK: - WebSockets

  /// Answers the handshake.
  func acceptSocket(_ head: RequestHead, protocol name: String?) throws(ConnectionEnd) {
    guard head["Upgrade"]?.lowercased() == "websocket", head["Sec-WebSocket-Version"] == "13",
      head["Connection"]?.lowercased() == "upgrade", let key = head["Sec-WebSocket-Key"]
    else {
      try send(Response.text("This is a WebSocket's address.\n", 400))
      throw .wanted(.fin)
    }
    var answer = Response(
      101,
      fields: [
        HeaderField("Upgrade", "websocket"), HeaderField("Connection", "Upgrade"),
        HeaderField("Sec-WebSocket-Accept", Self.acceptance(of: key)),
      ])
    if let name { answer.fields.append(HeaderField("Sec-WebSocket-Protocol", name)) }
    try send(answer)
  }

  /// Computes the proof that the key was read (RFC 6455 section 4.2.2).
  static func acceptance(of key: String) -> String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var hash = [UInt8](repeating: 0, count: 20)
    EVP_Digest(text, text.count, &hash, nil, EVP_sha1(), nil)
    var coded = [UInt8](repeating: 0, count: 29)
    EVP_EncodeBlock(&coded, hash, 20)
    return String(decoding: coded.prefix(28), as: UTF8.self)
  }

  /// Sends messages back until a close frame comes. A client that does not mask gets 1002.
  func echoMessages(inFramesOf size: Int) throws(ConnectionEnd) {
    while true {
      let frame = try readFrame()
      guard frame.mask != nil else {
        try send(SocketFrame.close(1002, "not masked").bytes)
        throw .wanted(.fin)
      }
      switch frame.opcode {
      case 9: try send(SocketFrame(10, frame.payload).bytes)
      case 10: break
      case 8:
        try send(SocketFrame(8, frame.payload).bytes)
        throw .wanted(.fin)
      default: try send(frame, inFramesOf: max(1, size))
      }
    }
  }

  private func send(_ message: SocketFrame, inFramesOf size: Int) throws(ConnectionEnd) {
    var rest = message.payload[...]
    var opcode = message.opcode
    repeat {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      try send(SocketFrame(opcode, piece, isFinal: rest.isEmpty && message.isFinal).bytes)
      opcode = 0
    } while !rest.isEmpty
  }

  private func readFrame() throws(ConnectionEnd) -> SocketFrame {
    let start = try take(2)
    var length = Int(start[1] & 0x7f)
    if length >= 126 { length = try take(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) } }
    guard length >= 0, length <= 1 << 30 else { throw .wanted(.rst) }
    let mask = start[1] & 0x80 != 0 ? try take(4) : nil
    var payload = try take(length)
    if let mask { for index in payload.indices { payload[index] ^= mask[index & 3] } }
    return SocketFrame(start[0] & 15, payload, isFinal: start[0] & 0x80 != 0, mask: mask)
  }

  private func take(_ count: Int) throws(ConnectionEnd) -> [UInt8] {
    while input.count < count { try receiveMore(min(max(count - input.count, 2048), 256 << 10)) }
    defer { input.consume(count) }
    return Array(input.bytes.prefix(count))
  }
}
