// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import HTTPRules

/// The decisions of one WebSocket from its client's side (RFC 6455): events in, actions out.
///
/// Pure: no clock, lock or I/O; masks come from outside. Calls of the user are known by their numbers; each gets exactly
/// one answer. What the server sends while the task receives nothing waits here, up to `maximumMessageSize` bytes; then reading
/// is held, and TCP slows the server.
package struct WebSocketMachine {
  /// Names a call of the user's.
  package typealias Number = Int

  /// The action to take.
  package enum Action: Equatable, Sendable {
    /// Send these bytes, after all before.
    case write([UInt8])
    /// The message was given to the kernel.
    case sent(Number)
    /// A message for the oldest call that waits.
    case deliver(Number, WebSocketMessage)
    /// The server answered this ping.
    case pong(Number)
    /// The call comes to nothing.
    case fail(Number, Failure)
    /// A close frame arrived, or the server ended the connection in order without one; at most once.
    case closed(WebSocketClose)
    /// Read nothing for now.
    case hold
    /// Read on.
    case resume
    /// Say `waitedLongEnough()` when this is over and nothing has ended the connection.
    case wait(Duration)
    /// The connection is to be closed: in order, or because of this.
    case finish(Failure?)
  }

  /// Why a call failed.
  package enum Failure: Error, Equatable, Sendable {
    /// The server closed the WebSocket, or it was closed for another reason before.
    case closed
    /// The user closed it.
    case cancelled
    /// The connection was lost.
    case lost
    /// The message has more bytes than wanted.
    case tooLarge(String)
    /// The server broke the protocol.
    case violated(String)
  }

  enum Phase: Equatable {
    case connecting
    case open
    /// A close frame was sent, none has come. Other frames are ignored.
    case closing(Failure?)
    /// A close frame has arrived; the connection ends when ours is on its way.
    case closeAnswered
    case ended(Failure?)
  }

  var phase = Phase.connecting
  var reader = WebSocketReader()
  let mask: @Sendable () -> UInt32
  /// Frames that wait for the opening.
  var early: [(bytes: [UInt8], number: Number?)] = []
  /// Bytes ordered to be written so far, and bytes that have left.
  var ordered: Int64 = 0
  var written: Int64 = 0
  var sends: [(end: Int64, number: Number)] = []
  var pings: [(payload: Data, number: Number)] = []
  var pingCount: UInt32 = 0
  /// The last ping that could not be answered yet, because too much waits to be sent.
  var unanswered: Data?
  /// A slice, whose first element goes without the others moving.
  var receives: ArraySlice<Number> = []
  var inbox: ArraySlice<WebSocketMessage> = []
  var inboxSize = 0
  var isHeld = false
  /// The close that the user sent, until the server's own close frame has arrived.
  var farewell: WebSocketClose?

  /// How long a server may take to answer a close frame; and after a violation, how long it gets to read why it is
  /// cut off.
  package static let closingTimeLimit = Duration.seconds(10)
  package static let failingTimeLimit = Duration.seconds(1)
  /// Bytes that may wait to be sent before pings go unanswered, but for the last.
  static let pongLimit: Int64 = 8 * 1024
  /// The bytes that a waiting message counts for besides its content.
  static let overhead = 64

  /// A machine before its handshake. `mask` makes unpredictable numbers (RFC 6455 section 10.3).
  package init(mask: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }) {
    self.mask = mask
  }

  /// Bytes of a message that are accepted, and of messages that wait.
  package var maximumMessageSize: Int {
    get { reader.maximumMessageSize }
    set { reader.maximumMessageSize = newValue }
  }

  /// True if messages wait to be received.
  package var hasMessages: Bool { !inbox.isEmpty }

  var isOver: Bool { if case .ended = phase { true } else { false } }
}

// MARK: - What the user wants

extension WebSocketMachine {
  /// A message is to be sent.
  package mutating func send(_ message: WebSocketMessage, _ number: Number) -> [Action] {
    switch message {
    case .text(let text): write(.text, Data(text.utf8), number)
    case .binary(let bytes): write(.binary, bytes, number)
    }
  }

  /// A ping is to be sent: an empty one, as simple servers want it; while others wait for their pongs a count is its payload, so
  /// that no other pong is taken for its answer.
  package mutating func ping(_ number: Number) -> [Action] {
    guard phase == .connecting || phase == .open else { return [.fail(number, reason)] }
    pingCount &+= 1
    let payload = pings.isEmpty ? Data() : unsafe withUnsafeBytes(of: pingCount.bigEndian) { unsafe Data($0) }
    pings.append((payload, number))
    return write(.ping, payload, nil)
  }

  /// A message is wanted: the oldest that waits, or the next that comes. Also after the end, for those that came before.
  package mutating func receive(_ number: Number) -> [Action] {
    guard let message = takeFirst() else {
      if isOver || phase == .closeAnswered || fault != nil { return [.fail(number, reason)] }
      receives.append(number)
      return []
    }
    guard isHeld, inbox.isEmpty || inboxSize < maximumMessageSize else { return [.deliver(number, message)] }
    isHeld = false
    return [.deliver(number, message), .resume]
  }

  /// A slice's first element is cheap to drop, but what it held would stay in memory.
  mutating func takeFirst() -> WebSocketMessage? {
    guard let message = inbox.first else { return nil }
    inbox[inbox.startIndex] = .binary(Data())
    inbox = inbox.count == 1 ? [] : inbox.dropFirst()
    inboxSize -= Self.size(of: message)
    return message
  }

  /// The WebSocket is to be closed. What was to be sent before still is.
  package mutating func close(_ close: WebSocketClose) -> [Action] {
    switch phase {
    case .connecting: return [.finish(.cancelled)]
    case .open:
      let actions = write(.close, close.payload, nil)
      phase = .closing(nil)
      farewell = close
      // A side that has closed receives nothing more, and a full inbox must not hide the server's close frame.
      inbox = []
      isHeld = false
      return actions + [.resume, .wait(Self.closingTimeLimit)]
    case .closing, .closeAnswered, .ended: return []
    }
  }

  /// The task drops the connection at once; the server gets a close frame without a code, if it still reads.
  package mutating func cancel() -> [Action] {
    let farewell = phase == .open ? write(.close, Data(), nil) : []
    return farewell + [.finish(.cancelled)]
  }

  mutating func write(_ opcode: WebSocketOpcode, _ payload: Data, _ number: Number?) -> [Action] {
    switch phase {
    case .connecting:
      early.append((WebSocketWriter.frame(opcode, payload, mask: mask()), number))
      return []
    case .open: return action(WebSocketWriter.frame(opcode, payload, mask: mask()), number)
    case .closing, .closeAnswered, .ended: return number.map { [.fail($0, reason)] } ?? []
    }
  }

  mutating func action(_ bytes: [UInt8], _ number: Number?) -> [Action] {
    ordered += Int64(bytes.count)
    if let number { sends.append((ordered, number)) }
    return [.write(bytes)]
  }

  /// Why nothing is sent or received any more.
  var reason: Failure {
    switch phase {
    case .closing(let failure): failure ?? .closed
    case .ended(let failure): failure ?? .closed
    case .connecting, .open, .closeAnswered: .closed
    }
  }

  /// The server's fault for which the connection is being closed.
  package var fault: Failure? { if case .closing(let failure) = phase { failure } else { nil } }

  static func size(of message: WebSocketMessage) -> Int {
    switch message {
    case .text(let text): text.utf8.count + overhead
    case .binary(let bytes): bytes.count + overhead
    }
  }
}
