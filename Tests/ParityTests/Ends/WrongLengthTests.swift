// SPDX-License-Identifier: Apache-2.0
import Locking
import Testing

/// Bodies of HTTP/2 that are not as long as they say, or that answers have which can have none: malformed (RFC 9113 section
/// 8.1.1, RFC 9110 section 6.4.1).
@Suite struct WrongLengthTests {
  private struct Case: Sendable {
    let name: String
    var status = 200
    let length: String?
    /// The bytes of each DATA frame; the last one has END_STREAM.
    let frames: [Int]
  }

  private static let cases = [
    Case(name: "too many bytes, two frames", length: "100", frames: [60, 60]),
    Case(name: "too many bytes behind the right ones", length: "100", frames: [100, 1]),
    Case(name: "too many bytes, many frames", length: "10", frames: Array(repeating: 3, count: 20)),
    Case(name: "too many bytes behind the right ones, many frames", length: "30", frames: [10, 10, 10, 1, 1]),
    Case(name: "bytes where none should be", length: "0", frames: [1, 1]),
    Case(name: "too few bytes, two frames", length: "100", frames: [60, 39]),
    Case(name: "too few bytes, an empty frame", length: "100", frames: [60, 0]),
    Case(name: "none of the bytes", length: "100", frames: [0]),
    Case(name: "204 with a body", status: 204, length: nil, frames: [3, 3]),
    Case(name: "204 with a body and its length", status: 204, length: "6", frames: [3, 3]),
  ]

  /// The frames come apart, each read before the next one leaves, or all in one record.
  @Test(arguments: ClientKind.streaming, [false, true])
  func `a body of another length than it says is an error, and not stored (U2, U9)`(
    kind: ClientKind, isApart: Bool
  ) async throws {
    for wrong in Self.cases {
      let isAsked = Locked(false)
      // The second request is answered by the server itself, and not sent if the first answer is stored.
      let server = try FrameServer { _ in
        isAsked.withLock { wasAsked in
          defer { wasAsked = true }
          return wasAsked
        } ? Array("again".utf8) : nil
      }
      let client = kind.makeClient()
      let load = try client.start(server.raw.url("/own"))
      let stream = try await server.stream("/own")
      try await play(wrong, stream, isApart ? server : nil)
      let end = await load.ending()
      // libcurl takes an answer for whole at its length, and a 204 at its head, and drops unseen what follows.
      let isDropped = end.isSuccess && end.body.count == (wrong.status == 204 ? 0 : Int(wrong.length ?? "") ?? -1)
      if !isDropped, end.code == nil || end.code == -1001 {
        Issue.record("\(kind.rawValue), \(wrong.name): ended with \(end)")
      }
      let second = try await client.start(server.raw.url("/own")).ending()
      if !isDropped, second.body != Array("again".utf8) {
        Issue.record("\(kind.rawValue), \(wrong.name), again: \(second)")
      }
      await client.close()
      server.raw.stop()
    }
  }

  private func play(_ wrong: Case, _ stream: FrameServer.Stream, _ server: FrameServer?) async throws {
    let length = wrong.length.map { [("content-length", $0)] } ?? []
    let head = stream.head(wrong.status, [("cache-control", "max-age=1000")] + length)
    let data = wrong.frames.enumerated().map { index, count in
      stream.data(Array(repeating: 120, count: count), ends: index == wrong.frames.count - 1)
    }
    guard let server else { return stream.connection.send(([head] + data).flatMap(\.bytes)) }
    for frame in [head] + data {
      stream.send(frame)
      // The client does not read on when its only load there has failed.
      try? await server.isRead(stream.connection, within: .milliseconds(200))
    }
  }
}
