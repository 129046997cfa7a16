// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import HTTPRules
@testable import URLLoading

// What a WebSocket's server sends.
extension Target {
  /// Frames: the same events and the same violation however the bytes are cut, and no message above its limit.
  static let webSocketFrames = Target("websocket-frames") { bytes in
    let whole = events(bytes, step: max(1, bytes.count))
    check(whole == events(bytes, step: 1), "cut otherwise, other events")
    check(whole == events(bytes, step: 7), "cut otherwise, other events")
  }

  private static let messageLimit = 1000

  /// RFC 6455 sections 5.5.1 and 7.4: a code that may stand in a frame, or none and then no reason.
  private static func isAllowed(_ close: WebSocketClose) -> Bool {
    guard let code = close.code else { return close.reason.isEmpty }
    let isNamed = (1000...1014).contains(code) && ![1004, 1005, 1006].contains(code)
    return (isNamed || (3000...4999).contains(code)) && close.reason.count <= 123
  }

  private static func events(_ bytes: [UInt8], step: Int) -> [String] {
    var reader = WebSocketReader(maximumMessageSize: messageLimit)
    var events: [String] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      Array(bytes[start..<min(bytes.count, start + step)]).withUnsafeBytes { piece in
        var input = piece
        do throws(WebSocketReader.Violation) {
          while let event = try reader.next(&input) {
            events.append(String(describing: event))
            if case .message(.binary(let data)) = event { check(data.count <= messageLimit, "a message too large") }
            if case .close(let close) = event { check(isAllowed(close), "a close frame with \(close)") }
            if case .message(.text(let text)) = event { check(text.utf8.count <= messageLimit, "a text too large") }
          }
        } catch {
          events.append("\(error.code)")
        }
        check(input.isEmpty || events.last?.count == 4, "bytes left over")
      }
    }
    return events
  }

  /// A whole WebSocket fed with frames, while its user sends, pings, receives and closes by turns: every call of the
  /// user's gets exactly one answer.
  static let webSocketCourse = Target("websocket-course") { bytes in
    var machine = WebSocketMachine(mask: { 0 })
    machine.maximumMessageSize = messageLimit
    var (calls, ordered) = (Set<Int>(), Int64(0))
    func perform(_ actions: [WebSocketMachine.Action]) {
      for action in actions {
        switch action {
        case .write(let bytes): ordered += Int64(bytes.count)
        case .sent(let call), .pong(let call), .deliver(let call, _), .fail(let call, _):
          check(calls.remove(call) != nil, "a call was answered twice")
        case .closed, .hold, .resume, .wait, .finish: break
        }
      }
    }
    perform(machine.opened())
    for (turn, start) in stride(from: 0, to: bytes.count, by: 16).enumerated() {
      calls.insert(turn)
      switch bytes[start] & 3 {
      case 0: perform(machine.send(.text("a"), turn))
      case 1: perform(machine.ping(turn))
      case 2 where turn > 8: perform(machine.close(.init(code: 1000)))
      default: perform(machine.receive(turn))
      }
      if case 2 = bytes[start] & 3, turn > 8 { calls.remove(turn) }
      Array(bytes[start..<min(bytes.count, start + 16)]).withUnsafeBytes { perform(machine.arrived($0)) }
      perform(machine.wrote(ordered))
    }
    perform(machine.inputEnded())
    perform(machine.ended(.lost))
    check(calls.isEmpty, "a call was not answered")
  }
}
