// SPDX-License-Identifier: Apache-2.0
import Locking

/// A server of HTTP/1.1 whose requests wait until the test answers them, with whatever bytes. Requests have no body.
final class TextServer: Sendable {
  /// One request that the test answers.
  struct Asked: Sendable {
    /// The second word of its line: with a proxy a whole URL.
    let target: String
    let connection: RawConnection

    /// Sends these bytes as they are.
    func reply(_ bytes: [UInt8]) { connection.send(bytes) }

    /// Sends these lines, and behind them an empty one and the body.
    func reply(_ lines: [String], _ body: [UInt8] = []) {
      reply(Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + body)
    }

    /// Sends a lawful answer whose body is the target.
    func replyLawfully() {
      reply(["HTTP/1.1 200 OK", "Content-Length: \(target.utf8.count)"], Array(target.utf8))
    }
  }

  /// Two requests that the client may send together.
  struct Pair {
    let asked: [Asked]
    /// True if both were on one connection before either was answered.
    let isShared: Bool
  }

  /// Requests that wait for their answers, in the order of their coming.
  private let board = Board<Asked>()
  let raw: RawServer

  /// Listens at once. Requests for which `answersItself` says so are answered lawfully as soon as they come, and so are
  /// those that come again: a client may send a GET once more (RFC 9110 section 9.2.2).
  init(tls protocols: [String]? = nil, answersItself: @escaping @Sendable (String) -> Bool = { _ in false }) throws {
    let known = Locked<Set<String>>([])
    raw = try RawServer(tls: protocols) { [board] connection in
      TextPlayer(connection) { asked in
        let isNew = known.withLock { $0.insert(asked.target).inserted }
        if !isNew || answersItself(asked.target) { asked.replyLawfully() } else { board.post(asked) }
      }
    }
  }

  /// Answers two requests, their targets ending with these, as soon as both have come; returns them in this order. A client
  /// may hold back one of them until it has the answer to the other.
  func answerPair(_ endings: [String], _ reply: (Asked) -> Void = { $0.replyLawfully() }) async throws -> Pair {
    let isWanted: @Sendable (Asked) -> Bool = { asked in endings.contains { asked.target.hasSuffix($0) } }
    let first = try await board.take("a request of \(endings)", where: isWanted)
    let early = try? await board.take("the other", within: .milliseconds(300), where: isWanted)
    reply(first)
    let second = if let early { early } else { try await board.take("the second of \(endings)", where: isWanted) }
    reply(second)
    let isShared = early != nil && first.connection === second.connection
    return Pair(asked: first.target.hasSuffix(endings[0]) ? [first, second] : [second, first], isShared: isShared)
  }

  /// The request whose target ends with this, as soon as it has come.
  func request(_ ending: String) async throws -> Asked {
    try await board.take("the request of \(ending)") { $0.target.hasSuffix(ending) }
  }
}

/// Reads the heads of requests.
private final class TextPlayer: RawPlayer {
  private let connection: RawConnection
  private let handle: (TextServer.Asked) -> Void
  private var waiting: [UInt8] = []

  init(_ connection: RawConnection, _ handle: @escaping (TextServer.Asked) -> Void) {
    (self.connection, self.handle) = (connection, handle)
  }

  func ended() {}

  func received(_ bytes: [UInt8]) {
    waiting += bytes
    while let end = waiting.firstRange(of: [13, 10, 13, 10]) {
      let line = waiting.prefix { $0 != 13 }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      waiting.removeSubrange(..<end.upperBound)
      if words.count == 3 { handle(TextServer.Asked(target: String(words[1]), connection: connection)) }
    }
  }
}
