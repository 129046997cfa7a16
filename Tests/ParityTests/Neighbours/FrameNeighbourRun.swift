// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import TestSupport

@testable import Transport

/// The same over HTTP/2, where loads beside a broken answer share its connection: each has its own whole body or an error.
struct FrameNeighbourRun {
  /// The outcome so far.
  private(set) var tally: NeighbourTally

  init(_ kind: ClientKind, seed: UInt64) { tally = NeighbourTally(kind, seed: seed) }

  mutating func run() async throws {
    var choice = SeededChoice(seed: tally.seed)
    let known = Locked<Set<String>>([])
    // A request may come again, on another connection.
    let server = try FrameServer { stream in
      let isNew = known.withLock { $0.insert(stream.path).inserted }
      return isNew && stream.path.hasPrefix("/n/") ? nil : Self.body(stream.path)
    }
    defer { server.raw.stop() }
    let client = tally.kind.makeClient()
    for number in 1...NeighbourTally.casesPerSeed where tally.breaches.isEmpty {
      let frames = BrokenFrames.next(&choice)
      try await run(
        "case \(number) of seed \(tally.seed), \(frames.name)", "/n/\(number)", frames, &choice, client, server)
    }
    await client.close()
  }

  private mutating func run(
    _ name: String, _ folder: String, _ frames: BrokenFrames, _ choice: inout SeededChoice, _ client: Client,
    _ server: FrameServer
  ) async throws {
    let warm = "/warm\(folder)"
    judge(name, warm, try await client.start(server.raw.url(warm)).ending(), mustSucceed: false)
    let paths = ["before", "case", "beside"].map { "\(folder)/\($0)" }
    var (streams, started) = ([FrameServer.Stream](), [Observation]())
    for path in paths {
      started.append(try client.start(server.raw.url(path)))
      streams.append(try await server.stream(path))
    }
    let connection = streams[1].connection
    // Half of the body, with or without a length, is on its way when the other load breaks.
    let whole = Self.body(paths[0])
    let length = choice.number(below: 2) == 0 ? [("content-length", "\(whole.count)")] : []
    streams[0].send(streams[0].head(200, length), streams[0].data(Array(whole.prefix(whole.count / 2))))
    if choice.number(below: 2) == 0 { try await server.isRead(connection) }
    if frames.mayEndConnection { connection.spoil() }
    frames.play(streams[1])
    // A client that has given up all its loads there does not read on.
    if choice.number(below: 2) == 0 { try? await server.isRead(connection, within: .milliseconds(200)) }
    streams[0].send(streams[0].data(Array(whole.dropFirst(whole.count / 2)), ends: true))
    streams[2].answer(Self.body(paths[2]))
    if frames.isUnfinished { connection.end(.fin) }
    for index in [0, 2] {
      judge(name, paths[index], await started[index].ending(), mustSucceed: !streams[index].connection.isSpoiled)
    }
    if started[1].facts.ends == 0 { connection.end(.fin) }
    tally.judgeBroken(name, await started[1].ending())
    try await runPair(name, folder, client, server)
    tally.judgeBroken(name, started[1].facts)
  }

  private mutating func runPair(
    _ name: String, _ folder: String, _ client: Client, _ server: FrameServer
  ) async throws {
    let paths = ["first", "second"].map { "\(folder)/\($0)" }
    let started = try paths.map { try client.start(server.raw.url($0)) }
    for (index, path) in paths.enumerated() {
      let stream = try await server.stream(path)
      stream.answer(Self.body(path))
      judge(name, path, await started[index].ending(), mustSucceed: !stream.connection.isSpoiled)
    }
  }

  /// The body of a path, whose end shows.
  private static func body(_ path: String) -> [UInt8] { Array("\(path) \(path) whole".utf8) }

  /// libcurl 7.88 closes the connection after a neighbour's reset and does not say whether this stream was whole.
  private mutating func judge(_ name: String, _ path: String, _ end: Ended, mustSucceed: Bool) {
    tally.judge(
      name, path, end, body: Self.body(path), mustSucceed: mustSucceed,
      mayBeDoubted: CurlFacts.current.endsStreamsWithConnection)
  }
}
