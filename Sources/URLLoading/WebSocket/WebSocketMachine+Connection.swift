// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import HTTPRules

/// The events of the connection, and what follows from it.
extension WebSocketMachine {
  /// The handshake is done.
  package mutating func opened() -> [Action] {
    guard phase == .connecting else { return [] }
    phase = .open
    defer { early = [] }
    return early.flatMap { action($0.bytes, $0.number) }
  }

  /// Bytes arrived.
  package mutating func arrived(_ bytes: UnsafeRawBufferPointer) -> [Action] {
    var (input, actions) = unsafe (bytes, [Action]())
    do throws(WebSocketReader.Violation) {
      while phase != .closeAnswered, !isOver, let event = try unsafe reader.next(&input) { actions += took(event) }
    } catch {
      actions += violated(error)
    }
    if phase == .open, !isHeld, !inbox.isEmpty, inboxSize >= maximumMessageSize {
      isHeld = true
      actions.append(.hold)
    }
    return actions
  }

  /// So many bytes of those that were ordered have left.
  package mutating func wrote(_ total: Int64) -> [Action] {
    written = total
    let count = sends.prefix { $0.end <= total }.count
    var actions = sends[..<count].map { Action.sent($0.number) }
    sends.removeFirst(count)
    if let payload = unanswered, phase == .open, ordered - written < Self.pongLimit {
      unanswered = nil
      actions += action(WebSocketWriter.frame(.pong, payload, mask: mask()), nil)
    }
    if phase == .closeAnswered, written >= ordered { actions.append(.finish(nil)) }
    return actions
  }

  /// The server sends nothing more. One that says so in order between two messages, but without a close frame, has closed the
  /// WebSocket all the same: the delegate hears of a normal closure, as upstream's test wants it, and the task fails.
  package mutating func inputEnded() -> [Action] {
    switch phase {
    case .open where reader.isBetweenMessages: return [.closed(WebSocketClose(code: 1000)), .finish(.lost)]
    case .connecting, .open: return [.finish(.lost)]
    case .closing(nil):
      guard let farewell = farewell.take() else { return [.finish(.lost)] }
      return [.closed(farewell), .finish(nil)]
    case .closing(let failure?): return [.finish(failure)]
    case .closeAnswered: return [.finish(nil)]
    case .ended: return []
    }
  }

  /// The time that `wait` asked for is over.
  package mutating func waitedLongEnough() -> [Action] {
    switch phase {
    case .closing(let failure): [.finish(failure ?? .cancelled)]
    case .closeAnswered: [.finish(nil)]
    case .connecting, .open, .ended: []
    }
  }

  /// True if the connection's loss is the end that the user's own close frame led to, without one of the server's. A server
  /// that closes without reading that frame makes the system reset the connection, so FIN and RST mean the same here, as does
  /// the end of TLS without close_notify.
  package var isOverByEnd: Bool { phase == .closing(nil) && farewell != nil }

  /// The connection is gone, in order or not. Every call that waits fails; what arrived before can still be received.
  package mutating func ended(_ failure: Failure?) -> [Action] {
    guard !isOver else { return [] }
    let closing: [Action] = if failure == nil, isOverByEnd, let farewell { [.closed(farewell)] } else { [] }
    phase = .ended(failure)
    let unsent = sends.map(\.number) + early.compactMap(\.number)
    (sends, early) = ([], [])
    return closing + unsent.map { .fail($0, reason) } + failOthers()
  }

  private mutating func failOthers() -> [Action] {
    defer { (pings, receives) = ([], []) }
    return (pings.map(\.number) + receives).map { .fail($0, reason) }
  }

  private mutating func took(_ event: WebSocketReader.Event) -> [Action] {
    switch event {
    case .message(let message): took(message)
    case .ping(let payload): answer(payload)
    case .pong(let payload): ponged(payload)
    case .close(let close): closedByServer(close)
    }
  }

  private mutating func took(_ message: WebSocketMessage) -> [Action] {
    guard phase == .open else { return [] }
    guard receives.isEmpty else { return [.deliver(receives.removeFirst(), message)] }
    inbox.append(message)
    inboxSize += Self.size(of: message)
    return []
  }

  /// RFC 6455 section 5.5.3: of several pings only the last must be answered.
  private mutating func answer(_ payload: Data) -> [Action] {
    guard phase == .open else { return [] }
    guard ordered - written < Self.pongLimit else {
      unanswered = payload
      return []
    }
    return action(WebSocketWriter.frame(.pong, payload, mask: mask()), nil)
  }

  /// A pong answers its ping and those before; an unsolicited one says nothing (RFC 6455 section 5.5.3).
  private mutating func ponged(_ payload: Data) -> [Action] {
    guard let index = pings.firstIndex(where: { $0.payload == payload }) else { return [] }
    defer { pings.removeFirst(index + 1) }
    return pings[...index].map { .pong($0.number) }
  }

  private mutating func closedByServer(_ close: WebSocketClose) -> [Action] {
    switch phase {
    case .closing(let failure):
      farewell = nil
      return [.closed(close), .finish(failure)]
    case .open:
      let answer = action(WebSocketWriter.frame(.close, close.payload, mask: mask()), nil)
      phase = .closeAnswered
      return [.closed(close)] + answer + failOthers() + [.wait(Self.failingTimeLimit)]
    case .connecting, .closeAnswered, .ended: return []
    }
  }

  /// RFC 6455 section 7.1.7: the server gets the reason, and gets a moment to read it, since what it sends meanwhile would
  /// make the system reset the connection.
  private mutating func violated(_ violation: WebSocketReader.Violation) -> [Action] {
    let failure = violation.code == 1009 ? Failure.tooLarge(violation.sentence) : .violated(violation.sentence)
    guard phase == .open else { return [.finish(failure)] }
    let close = WebSocketClose(code: violation.code)
    let frame = action(WebSocketWriter.frame(.close, close.payload, mask: mask()), nil)
    phase = .closing(failure)
    return frame + failOthers() + [.wait(Self.failingTimeLimit)]
  }
}
