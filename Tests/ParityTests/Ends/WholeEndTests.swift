// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import Testing

@testable import Transport

/// Bodies of HTTP/2 that have had their END_STREAM stay successes, whatever the connection does afterwards (RFC 9113
/// sections 6.8 and 8.1).
@Suite struct WholeEndTests {
  private static let part = Array("the first part, ".utf8)
  private static let rest = Array("and the rest".utf8)
  private static let last = UInt32(Int32.max)

  /// The first part of a body without length, read by the client.
  private func begin(_ client: Client, _ server: FrameServer) async throws -> (Observation, FrameServer.Stream) {
    let load = try client.start(server.raw.url("/own"))
    let stream = try await server.stream("/own")
    stream.send(stream.head(), stream.data(Self.part))
    try await server.isRead(stream.connection)
    return (load, stream)
  }

  /// `mayBeDoubted` where this libcurl shows nothing that tells the end from a cut, so that an error is right, too.
  private func expectWhole(_ end: Ended, _ name: String, mayBeDoubted: Bool = false) {
    if mayBeDoubted, !end.isSuccess, end.code == -1005 || end.code == -1001 { return }
    if !end.isSuccess || end.status != 200 || end.body != Self.part + Self.rest {
      Issue.record("\(name): ended with \(end)")
    }
  }

  /// True if the end of a stream and that of its connection are one for this libcurl.
  private static let doubtsClosing = CurlFacts.current.endsStreamsWithConnection

  @Test(arguments: ClientKind.streaming, Aftermath.all)
  func `a body that ends with END_STREAM is whole (RFC 9113, 8.1)`(kind: ClientKind, aftermath: Aftermath) async throws
  {
    for end in WholeEnd.all {
      let server = try FrameServer()
      let client = kind.makeClient()
      let (load, stream) = try await begin(client, server)
      aftermath.play(end.frames(stream, Self.rest), on: stream)
      expectWhole(
        await load.ending(), "\(kind.rawValue), \(end.name), \(aftermath.name)",
        mayBeDoubted: Self.doubtsClosing && aftermath.closes)
      await client.close()
      server.raw.stop()
    }
  }

  @Test(arguments: ClientKind.streaming, [nil, Ending.fin, .bareFin])
  func `SETTINGS, a whole answer and GOAWAY may come in one record, the first of all`(
    kind: ClientKind, ending: Ending?
  ) async throws {
    for end in WholeEnd.all {
      let server = try FrameServer(greets: false)
      let client = kind.makeClient()
      let load = try client.start(server.raw.url("/own"))
      let stream = try await server.stream("/own")
      let greeting = [Frame.settings(), Frame(.settings, flags: Frame.isAnswer)]
      let frames = greeting + [stream.head(), stream.data(Self.part)] + end.frames(stream, Self.rest)
      stream.connection.send((frames + [.goAway(last: stream.id)]).flatMap(\.bytes))
      if let ending { stream.connection.end(ending) }
      // What comes with GOAWAY in the first record is lost by every libcurl that was tried.
      expectWhole(await load.ending(), "\(kind.rawValue), \(end.name)", mayBeDoubted: true)
      await client.close()
      server.raw.stop()
    }
  }

  /// As nginx stops: it announces the end, finishes what it has begun, and closes.
  @Test(arguments: ClientKind.streaming, [Ending.fin, .bareFin])
  func `a server that shuts down in order leaves every stream whole (RFC 9113, 6.8)`(
    kind: ClientKind, ending: Ending
  ) async throws {
    for end in WholeEnd.all {
      let server = try FrameServer { $0.path == "/warm" ? [] : nil }
      let client = kind.makeClient()
      _ = try await client.start(server.raw.url("/warm")).ending()
      let (load, stream) = try await begin(client, server)
      let neighbour = try client.start(server.raw.url("/neighbour"))
      let other = try await server.stream("/neighbour")
      #expect(stream.connection === other.connection)
      other.send(other.head(), other.data(Self.part))
      stream.send(.goAway(last: Self.last))
      try await server.isRead(stream.connection)
      stream.connection.send(end.frames(stream, Self.rest).flatMap(\.bytes))
      stream.send(.goAway(last: other.id))
      stream.connection.send(end.frames(other, Self.rest).flatMap(\.bytes))
      stream.connection.end(ending)
      expectWhole(await load.ending(), "\(kind.rawValue), \(end.name), the load", mayBeDoubted: Self.doubtsClosing)
      expectWhole(
        await neighbour.ending(), "\(kind.rawValue), \(end.name), its neighbour", mayBeDoubted: Self.doubtsClosing)
      await client.close()
      server.raw.stop()
    }
  }

  @Test(arguments: ClientKind.streaming, [false, true])
  func `an early answer that has ended stays one when the upload is reset without error (H2-01)`(
    kind: ClientKind, isRead: Bool
  ) async throws {
    let server = try FrameServer()
    defer { server.raw.stop() }
    let client = kind.makeClient()
    let load = try client.start(server.raw.url("/own")) { request in
      request.httpMethod = "POST"
      request.httpBody = Data(repeating: 7, count: 8 << 20)
    }
    let stream = try await server.stream("/own")
    stream.answer(Self.part + Self.rest)
    if isRead { try await server.isRead(stream.connection) }
    stream.send(.reset(stream.id, 0))
    expectWhole(await load.ending(), kind.rawValue)
    await client.close()
  }

  /// Nothing is broken here: what one load reads from the connection belongs to the others, too.
  @Test(arguments: ClientKind.streaming, [false, true])
  func `answers that end behind one another reach each load (RFC 9113, 5)`(
    kind: ClientKind, isTogether: Bool
  ) async throws {
    for round in 1...20 {
      let server = try FrameServer { $0.path == "/warm" ? [] : nil }
      let client = kind.makeClient()
      _ = try await client.start(server.raw.url("/warm")).ending()
      let (load, stream) = try await begin(client, server)
      let paths = ["/second", "/third"]
      let others = try paths.map { try client.start(server.raw.url($0)) }
      let (second, third) = (try await server.stream(paths[0]), try await server.stream(paths[1]))
      let whole = Self.part + Self.rest
      let answers = [
        [second.head(), second.data(whole, ends: true)], [stream.data(Self.rest, ends: true)],
        [third.head(200, [("content-length", "\(whole.count)")]), third.data(whole, ends: true)],
      ].map { $0.flatMap(\.bytes) }
      for bytes in isTogether ? [Array(answers.joined())] : answers { stream.connection.send(bytes) }
      expectWhole(await load.ending(), "\(kind.rawValue), round \(round), the first load")
      for (index, other) in others.enumerated() {
        expectWhole(await other.ending(), "\(kind.rawValue), round \(round), \(paths[index])")
      }
      await client.close()
      server.raw.stop()
    }
  }
}
