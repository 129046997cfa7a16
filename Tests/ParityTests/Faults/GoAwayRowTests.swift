// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import SessionAPI
import Testing

@testable import Transport

/// A server that takes few requests of each connection, as nginx does with `keepalive_requests`, and many requests at once
/// (RFC 9113 section 6.8).
@Suite struct GoAwayRowTests {
  /// What the server does when a connection has brought its fifth request.
  enum Goodbye: CaseIterable {
    /// GOAWAY behind the answer, and the end of the connection.
    case closed
    /// The same, and the connection stays.
    case open
    /// GOAWAY before the answer, and the end of the connection.
    case first
  }

  private static let share = 5
  private static let count = 24
  private static let body = Array("ok".utf8)

  /// Answers the first five requests of each connection alone. `answered` has how often each path was.
  private static func server(_ goodbye: Goodbye, _ answered: Locked<[String: Int]>) throws -> FrameServer {
    let brought = Locked<[Int: Int]>([:])
    return try FrameServer(awaitsBodies: true) { stream in
      // A client's streams have odd numbers in rising order.
      guard stream.id < 2 * share else { return nil }
      let turn = brought.withLock { brought in
        brought[stream.connection.number, default: 0] += 1
        return brought[stream.connection.number, default: 0]
      }
      answered.withLock { $0[stream.path, default: 0] += 1 }
      let answer = [stream.head(200, [("content-length", "\(body.count)")]), stream.data(body, ends: true)]
      guard turn == share else {
        stream.connection.send(answer.flatMap(\.bytes))
        return nil
      }
      let goAway = [Frame.goAway(last: UInt32(2 * share - 1))]
      stream.connection.send((goodbye == .first ? goAway + answer : answer + goAway).flatMap(\.bytes))
      if goodbye != .open { stream.connection.end(.fin) }
      return nil
    }
  }

  /// Before 8.5 libcurl loses an answer that comes together with GOAWAY, and a POST is not sent twice: −1005, or silence where the
  /// connection stays.
  private static let losesAnswers = CurlFacts.current.losesAnswerBeforeReset

  @Test(arguments: ClientKind.streaming, Goodbye.allCases)
  func `requests that several GOAWAYs in a row did not take are all answered (H2-10)`(
    kind: ClientKind, goodbye: Goodbye
  ) async throws {
    for method in ["GET", "POST"] where method == "GET" || goodbye != .open || !Self.losesAnswers {
      let answered = Locked<[String: Int]>([:])
      let server = try Self.server(goodbye, answered)
      let client = kind.makeClient()
      let loads = try (1...Self.count).map { number in
        try client.start(server.raw.url("/\(number)")) { request in
          request.httpMethod = method
          if method == "POST" { request.httpBody = Data("\(number)".utf8) }
        }
      }
      for (index, load) in loads.enumerated() {
        let end = await load.ending()
        if method == "POST", Self.losesAnswers, end.code == -1005 { continue }
        if !end.isSuccess || end.body != Self.body {
          let times = answered.withLock { $0["/\(index + 1)", default: 0] }
          Issue.record("\(method) /\(index + 1), \(kind.rawValue), \(goodbye), answered \(times): ended with \(end)")
        }
      }
      // The server works on each POST once.
      if method == "POST" { #expect(answered.withLock { $0.values.allSatisfy { $0 == 1 } }) }
      await client.close()
      server.raw.stop()
    }
  }
}
