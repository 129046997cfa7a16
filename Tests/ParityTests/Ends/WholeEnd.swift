// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// A lawful end of a body without a length, and what follows it on the connection.
struct WholeEnd: Sendable {
  let name: String
  /// The frames that hold the last bytes of a body, and its END_STREAM.
  let frames: @Sendable (_ stream: FrameServer.Stream, _ rest: [UInt8]) -> [Frame]

  static let all = [
    WholeEnd(name: "END_STREAM on DATA") { [$0.data($1, ends: true)] },
    WholeEnd(name: "END_STREAM on empty DATA") { [$0.data($1), $0.data([], ends: true)] },
    WholeEnd(name: "END_STREAM on trailers") { [$0.data($1), .headers($0.id, [("x-sum", "1")], ends: true)] },
    WholeEnd(name: "END_STREAM behind padding") { stream, rest in
      let payload = [UInt8(3)] + rest + [0, 0, 0]
      return [Frame(.data, flags: Frame.isPadded | Frame.endsStream, stream: stream.id, payload)]
    },
    // RFC 9113 section 4.1: frames of unknown types are passed over, and so are priorities.
    WholeEnd(name: "PING, SETTINGS and PRIORITY before the end") { stream, rest in
      [
        stream.data(rest), .ping(0), .settings([(3, 50)]), .window(0, 1000),
        Frame(.priority, stream: stream.id, [0, 0, 0, 0, 9]), stream.data([], ends: true),
      ]
    },
    WholeEnd(name: "WINDOW_UPDATE and PING behind the end") { stream, rest in
      [stream.data(rest, ends: true), .window(stream.id, 1000), .window(0, 1000), .ping(0)]
    },
  ]
}

/// What a server does behind an answer that is whole: none of it makes a part of it.
struct Aftermath: Sendable {
  enum Goodbye: String, CaseIterable, Sendable {
    case none = "nothing"
    case goAway = "GOAWAY"
    case goAwayTwice = "GOAWAY twice"
  }

  let goodbye: Goodbye
  /// True if the GOAWAY leaves in one record with the end.
  let isTogether: Bool
  /// How the connection ends; nil if it does not.
  let ending: Ending?

  static let all: [Aftermath] = Goodbye.allCases.flatMap { goodbye in
    [true, false].flatMap { isTogether in
      [nil, Ending.fin, .bareFin].map { Aftermath(goodbye: goodbye, isTogether: isTogether, ending: $0) }
    }
  }
  // Without a GOAWAY there is nothing to be in the same record.
  .filter { $0.goodbye != .none || $0.isTogether }

  var name: String {
    let record = goodbye == .none ? "" : isTogether ? " in its record" : " in a record of its own"
    return goodbye.rawValue + record + (ending.map { ", then \($0)" } ?? "")
  }

  /// True if the connection takes no more requests from then on.
  var closes: Bool { goodbye != .none || ending != nil }

  /// Sends the frames that end an answer, and all that follows.
  func play(_ frames: [Frame], on stream: FrameServer.Stream) {
    let goodbyes = Array(repeating: Frame.goAway(last: stream.id).bytes, count: count).flatMap { $0 }
    let end = frames.flatMap(\.bytes)
    if isTogether {
      stream.connection.send(end + goodbyes)
    } else {
      stream.connection.send(end)
      stream.connection.send(goodbyes)
    }
    if let ending { stream.connection.end(ending) }
  }

  private var count: Int {
    switch goodbye {
    case .none: 0
    case .goAway: 1
    case .goAwayTwice: 2
    }
  }
}
