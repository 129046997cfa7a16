// SPDX-License-Identifier: Apache-2.0
import Locking
import TestSupport

/// A server of HTTP/2 over TLS whose streams wait until the test answers them, with whatever frames.
final class FrameServer: Sendable {
  /// One request, whose head has come.
  struct Stream: Sendable {
    let path: String
    let id: UInt32
    let connection: RawConnection

    func head(_ status: Int = 200, _ fields: [Frame.Field] = [], ends: Bool = false) -> Frame {
      .headers(id, [(":status", "\(status)")] + fields, ends: ends)
    }

    func data(_ bytes: [UInt8], ends: Bool = false) -> Frame { .data(id, bytes, ends: ends) }

    func send(_ frames: Frame...) { connection.send(frames.flatMap(\.bytes)) }

    /// Answers as it should be.
    func answer(_ body: [UInt8], _ fields: [Frame.Field] = []) {
      send(head(200, [("content-length", "\(body.count)")] + fields), data(body, ends: true))
    }
  }

  private let streams = Board<Stream>()
  private let answers: Board<FramePlayer.Answered>
  private let pings = Locked<UInt32>(0)
  let raw: RawServer

  /// Listens at once. Streams for which `answering` gives a body are answered with that; with `greets` false the test
  /// sends the server's SETTINGS, and the answer to the client's. With `awaitsBodies` a stream is there once its request is whole.
  init(
    greets: Bool = true, awaitsBodies: Bool = false, answering: @escaping @Sendable (Stream) -> [UInt8]? = { _ in nil }
  ) throws {
    let answers = Board<FramePlayer.Answered>()
    self.answers = answers
    raw = try RawServer(tls: ["h2"]) { [streams] connection in
      if greets { connection.send(.settings([(3, 100)])) }
      return FramePlayer(connection, answers, answersSettings: greets, awaitsBodies: awaitsBodies) { stream in
        if let body = answering(stream) { stream.answer(body) } else { streams.post(stream) }
      }
    }
  }

  /// The stream whose path is this, as soon as its head has come.
  func stream(_ path: String) async throws -> Stream {
    try await streams.take("the request of \(path)") { $0.path == path }
  }

  /// Waits until the client has read all frames that were sent there, or the connection is over: it answers a PING in its
  /// turn (RFC 9113 section 6.7), as long as it has a load there.
  func isRead(_ connection: RawConnection, within limit: Duration = .seconds(TestMachine.patience)) async throws {
    let value = pings.withLock { value in
      value += 1
      return value
    }
    connection.send(.ping(value))
    guard !connection.isOver else { return }
    let number = connection.number
    _ = try await answers.take("the answer to a PING", within: limit) {
      $0.connection == number && ($0.value == value || $0.value == nil)
    }
  }
}
