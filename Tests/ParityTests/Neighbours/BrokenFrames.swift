// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport

/// An answer of HTTP/2 that a client refuses, or that leaves its stream, connection or host in a state of its own.
struct BrokenFrames {
  /// What it is, for a report.
  let name: String
  /// True if the client may end the whole connection (RFC 9113 section 5.4).
  var mayEndConnection = true
  /// True if the client may take what follows for a part of it, so that the connection has to end.
  var isUnfinished = false
  /// Sends it.
  let play: @Sendable (FrameServer.Stream) -> Void

  /// The answer of a seed's next choices.
  static func next(_ choice: inout SeededChoice) -> BrokenFrames {
    switch choice.number(below: 8) {
    case 0:
      let way = choice.one(of: CutWay.all)
      return BrokenFrames(name: "cut by \(way.name)", isUnfinished: true) { stream in
        stream.send(stream.head(), stream.data(Array("part".utf8)))
        way.play(stream)
      }
    case 1: return reset(&choice)
    case 2: return head("fields", choice.one(of: badFields))
    case 3: return head("status", [(":status", choice.one(of: badStatuses))])
    case 4: return lawful(&choice)
    case 5: return interim(&choice)
    case 6: return random(&choice)
    default: return mutated(&choice)
    }
  }

  // MARK: - Families

  private static func reset(_ choice: inout SeededChoice) -> BrokenFrames {
    let code = choice.one(of: [UInt32](0...14) + [.max])
    let (hasHead, hasPart) = (choice.number(below: 2) == 0, choice.number(below: 2) == 0)
    return BrokenFrames(name: "RST_STREAM \(code), head \(hasHead), part \(hasPart)", mayEndConnection: false) {
      stream in
      if hasHead { stream.send(stream.head()) }
      if hasHead, hasPart { stream.send(stream.data(Array("part".utf8))) }
      stream.send(.reset(stream.id, code))
    }
  }

  /// A head of these fields, and a body behind it.
  private static func head(_ name: String, _ fields: [Frame.Field]) -> BrokenFrames {
    let text = fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ").debugDescription
    return BrokenFrames(name: "\(name) \(text.prefix(60))") {
      $0.send(.headers($0.id, fields), $0.data(Array("case".utf8), ends: true))
    }
  }

  /// Statuses and fields that are in order, but say something about a login, a host or a connection.
  private static func lawful(_ choice: inout SeededChoice) -> BrokenFrames {
    let lines =
      BrokenAnswer.services + BrokenAnswer.policies.filter { !$0.contains("|") }
      + BrokenAnswer.logins.flatMap { ["WWW-Authenticate: \($0)", "Proxy-Authenticate: \($0)"] }
    let line = choice.one(of: lines).split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix(" ") }
    let field = (line[0].lowercased(), line.count > 1 ? String(line[1]) : "")
    let status = choice.one(of: [200, 204, 302, 401, 403, 407, 408, 421, 425, 426, 429, 500, 503])
    return BrokenFrames(name: "\(status) with \(field)", mayEndConnection: status == 204) {
      let body = status == 204 ? [] : Array("case".utf8)
      $0.send($0.head(status, [field]), $0.data(body, ends: true))
    }
  }

  private static func interim(_ choice: inout SeededChoice) -> BrokenFrames {
    let status = choice.one(of: [100, 101, 102, 103, 199])
    let count = choice.one(of: [1, 1, 2, 30])
    let ends = choice.number(below: 4) == 0
    return BrokenFrames(name: "\(count) times \(status), the last one ends: \(ends)") { stream in
      for number in 1...count { stream.send(stream.head(status, ends: ends && number == count)) }
      if !ends { stream.answer(Array("case".utf8)) }
    }
  }

  private static func random(_ choice: inout SeededChoice) -> BrokenFrames {
    let frames = (0...choice.number(below: 4)).map { _ in
      let head = [UInt8(choice.number(below: 13)), UInt8(choice.number(below: 256))]
      return (head: head, target: choice.number(below: 4), payload: choice.bytes(choice.number(below: 40)))
    }
    let text = frames.map { "\($0.head) on \($0.target) with \($0.payload.count)" }.joined(separator: ", ")
    return BrokenFrames(name: "random frames: \(text)", isUnfinished: true) { stream in
      for frame in frames {
        let ids: [UInt32] = [stream.id, 0, stream.id + 2, 2]
        let length = Array(Frame.number(UInt32(frame.payload.count)).dropFirst())
        stream.connection.send(length + frame.head + Frame.number(ids[frame.target]) + frame.payload)
      }
    }
  }

  private static func mutated(_ choice: inout SeededChoice) -> BrokenFrames {
    let seed = choice.next()
    return BrokenFrames(name: "an answer with some bytes changed", isUnfinished: true) { stream in
      var own = SeededChoice(seed: seed)
      let answer = [stream.head(200, [("content-length", "4")]), stream.data(Array("case".utf8), ends: true)]
      stream.connection.send(own.mutated(answer.flatMap(\.bytes)))
    }
  }

  private static let badStatuses = [
    "20", "2000", "abc", "", "-20", "099", "+200", "200 OK", "2\u{0}0", "600", "999", "000",
  ]

  private static let badFields: [[Frame.Field]] = {
    let single: [Frame.Field] = [
      ("X-Upper", "1"), ("connection", "close"), ("transfer-encoding", "chunked"), ("upgrade", "h2c"),
      ("keep-alive", "x"),
      ("proxy-connection", "x"), ("x y", "1"), ("x", "a\nb: c"), ("x", "a\rb"), ("x", "a\u{0}b"), ("x\u{0}", "1"),
      ("", "v"),
      ("x:y", "1"), ("x", " v"), ("content-length", "5"), ("content-length", "-1"), ("content-length", "4, 5"),
      (":path", "/"),
      (":status", "404"), (":foo", "/"), ("content-encoding", "gzip"), ("te", "gzip"),
    ]
    let more: [[Frame.Field]] = [[("x", "1"), (":status", "200")], [("x", "1")], []]
    return single.map { [(":status", "200"), $0] } + more
  }()
}
