// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Takes a server's bytes apart into messages and control frames (RFC 6455 sections 5 and 8.1).
///
/// Pure, and never at a loss: whatever the bytes are and however they are cut, there is an event, nothing yet, or a
/// violation. Nothing is kept of a message beyond its size limit: a frame's announcement is judged before its content.
package struct WebSocketReader {
  /// An event that was read.
  package enum Event: Equatable, Sendable {
    case message(WebSocketMessage)
    case ping(Data)
    case pong(Data)
    case close(WebSocketClose)
  }

  /// Why the connection must be failed (RFC 6455 section 7.1.7).
  package struct Violation: Error, Equatable, Sendable {
    /// The status code to close with.
    package var code: UInt16
    /// The server's violation, as a sentence.
    package var sentence: String
  }

  private struct Frame {
    var opcode: WebSocketOpcode
    var isFinal: Bool
    var left: Int
  }

  /// Bytes of all fragments of a message together.
  package var maximumMessageSize: Int
  private var header: [UInt8] = []
  private var frame: Frame?
  /// The bytes so far of the control frame that is being read.
  private var control = Data()
  /// The bytes so far of the message that is being read: text or binary.
  private var message: (opcode: WebSocketOpcode, bytes: Data)?
  private var isOver = false

  /// True if every message and frame that began has come to its end.
  package var isBetweenMessages: Bool { header.isEmpty && frame == nil && message == nil }

  /// A reader of a new connection.
  package init(maximumMessageSize: Int = 1 << 20) {
    self.maximumMessageSize = maximumMessageSize
  }

  /// Takes from `input` as much as makes one event; nil when all was taken and more is needed. After a close frame or a
  /// violation everything is taken, and nothing is returned.
  /// - Throws: what the server must not do, at the earliest byte that shows it.
  package mutating func next(_ input: inout UnsafeRawBufferPointer) throws(Violation) -> Event? {
    while !isOver {
      if frame == nil { frame = try unsafe readHeader(&input) }
      guard var current = frame else { return nil }
      let count = min(current.left, input.count)
      unsafe take(UnsafeRawBufferPointer(rebasing: input[..<count]), of: current)
      unsafe input = unsafe UnsafeRawBufferPointer(rebasing: input[count...])
      current.left -= count
      frame = current.left > 0 ? current : nil
      guard frame == nil else { return nil }
      if let event = try finished(current) { return event }
    }
    unsafe input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    return nil
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, of frame: Frame) {
    if frame.opcode.isControl {
      unsafe control.append(contentsOf: bytes)
    } else {
      unsafe message?.bytes.append(contentsOf: bytes)
    }
  }

  private mutating func violation(_ code: UInt16, _ sentence: String) -> Violation {
    isOver = true
    message = nil
    return Violation(code: code, sentence: sentence)
  }
}

// MARK: - Headers (RFC 6455 section 5.2)

extension WebSocketReader {
  private mutating func readHeader(_ input: inout UnsafeRawBufferPointer) throws(Violation) -> Frame? {
    while header.count < 2 || header.count < headerLength {
      guard let byte = unsafe input.first else { return nil }
      unsafe input = unsafe UnsafeRawBufferPointer(rebasing: input.dropFirst())
      header.append(byte)
      if header.count == 1 { try judgeFirst(byte) }
      if header.count == 2 { try judgeSecond(byte) }
    }
    let length = try payloadLength()
    let frame = Frame(
      opcode: WebSocketOpcode(rawValue: header[0] & 15) ?? .close, isFinal: header[0] & 0x80 != 0, left: length)
    header.removeAll(keepingCapacity: true)
    try begin(frame)
    return frame
  }

  private var headerLength: Int {
    switch header[1] & 0x7f {
    case 127: 10
    case 126: 4
    default: 2
    }
  }

  private mutating func judgeFirst(_ byte: UInt8) throws(Violation) {
    guard byte & 0x70 == 0 else {
      throw violation(1002, "The server uses an extension (RSV bits) that nobody offered.")
    }
    guard let opcode = WebSocketOpcode(rawValue: byte & 15) else {
      throw violation(1002, "The server sent a frame with the reserved opcode \(byte & 15).")
    }
    guard byte & 0x80 != 0 || !opcode.isControl else {
      throw violation(1002, "The server sent a control frame in fragments.")
    }
    guard opcode.isControl || (opcode == .continuation) == (message != nil) else {
      throw violation(
        1002,
        message == nil
          ? "The server continues a message that has not begun."
          : "The server begins a message within another one.")
    }
  }

  private mutating func judgeSecond(_ byte: UInt8) throws(Violation) {
    guard byte & 0x80 == 0 else { throw violation(1002, "The server masks its frames.") }
    guard header[0] & 8 == 0 || byte <= 125 else {
      throw violation(1002, "The server sent a control frame of more than 125 bytes.")
    }
  }

  /// The length, which has to be written in as few bytes as it needs.
  private mutating func payloadLength() throws(Violation) -> Int {
    guard header.count > 2 else { return Int(header[1] & 0x7f) }
    let length = header[2...].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    guard length <= UInt64(Int.max), length > (header.count == 4 ? 125 : 65_535) else {
      throw violation(1002, "The server sent a frame whose length is not written as it must be.")
    }
    return Int(length)
  }

  private mutating func begin(_ frame: Frame) throws(Violation) {
    guard !frame.opcode.isControl else {
      control = Data()
      return
    }
    let known = message?.bytes.count ?? 0
    guard frame.left <= max(0, maximumMessageSize) - known else {
      throw violation(1009, "The server's message has more than \(maximumMessageSize) bytes.")
    }
    if message == nil { message = (frame.opcode, Data()) }
  }
}

// MARK: - Whole frames

extension WebSocketReader {
  private mutating func finished(_ frame: Frame) throws(Violation) -> Event? {
    switch frame.opcode {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    case .close: return try closed()
    case .continuation, .text, .binary: return frame.isFinal ? try wholeMessage() : nil
    }
  }

  private mutating func wholeMessage() throws(Violation) -> Event? {
    guard let (opcode, bytes) = message else { return nil }
    message = nil
    guard opcode == .text else { return .message(.binary(bytes)) }
    guard let text = UTF8Text.string(bytes) else {
      throw violation(1007, "The server sent a text that is no UTF-8.")
    }
    return .message(.text(text))
  }

  private mutating func closed() throws(Violation) -> Event {
    guard let close = WebSocketClose(payload: control) else {
      throw violation(1002, "The server sent a close frame whose code or reason must not be.")
    }
    isOver = true
    return .close(close)
  }
}
