// SPDX-License-Identifier: Apache-2.0
import LessonServer
import TestSupport

/// Loads beside and behind broken answers on one host. Each has its own body or an error; and on a connection on which the
/// server broke no rule its own body.
struct NeighbourRun {
  /// The outcome so far.
  private(set) var tally: NeighbourTally

  init(_ kind: ClientKind, seed: UInt64) { tally = NeighbourTally(kind, seed: seed) }

  mutating func run() async throws {
    var choice = SeededChoice(seed: tally.seed)
    let server = try TextServer { !$0.hasPrefix("/n/") || $0.contains("landing") }
    defer { server.raw.stop() }
    let client = tally.kind.makeClient()
    for number in 1...NeighbourTally.casesPerSeed where tally.breaches.isEmpty {
      let answer = BrokenAnswer.next(&choice)
      try await run(
        "case \(number) of seed \(tally.seed), \(answer.name)", "/n/\(number)", answer, &choice, client, server)
    }
    await client.close()
  }

  private mutating func run(
    _ name: String, _ folder: String, _ answer: BrokenAnswer, _ choice: inout SeededChoice, _ client: Client,
    _ server: TextServer
  ) async throws {
    let paths = ["before", "case", "beside"].map { "\(folder)/\($0)" }
    var (asked, started) = ([TextServer.Asked](), [Observation]())
    for path in paths {
      started.append(try client.start(server.raw.url(path)))
      asked.append(try await server.request(path))
    }
    asked[1].connection.spoil()
    for piece in answer.pieces { asked[1].reply(piece) }
    for index in [0, 2] {
      reply(to: asked[index], &choice)
      judge(name, paths[index], await started[index].ending(), mustSucceed: !asked[index].connection.isSpoiled)
    }
    let ending = answer.ending ?? (started[1].facts.ends == 0 ? .fin : nil)
    if let ending { asked[1].connection.end(ending) }
    tally.judgeBroken(name, await started[1].ending())
    try await runPair(name, folder, &choice, client, server)
    tally.judgeBroken(name, started[1].facts)
  }

  private mutating func runPair(
    _ name: String, _ folder: String, _ choice: inout SeededChoice, _ client: Client, _ server: TextServer
  ) async throws {
    let paths = ["first", "second"].map { "\(folder)/\($0)" }
    let started = try paths.map { try client.start(server.raw.url($0)) }
    var own = choice
    let pair = try await server.answerPair(paths) { reply(to: $0, &own) }
    choice = own
    if pair.isShared { tally.breach(name, "both loads are on one connection") }
    for index in [0, 1] {
      judge(
        name, paths[index], await started[index].ending(),
        mustSucceed: !pair.isShared && !pair.asked[index].connection.isSpoiled)
    }
  }

  /// A lawful answer, in one of two framings.
  private func reply(to asked: TextServer.Asked, _ choice: inout SeededChoice) {
    guard choice.number(below: 2) == 0 else { return asked.replyLawfully() }
    let chunk = "\(String(asked.target.utf8.count, radix: 16))\r\n\(asked.target)\r\n"
    asked.reply(["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"], Array("\(chunk)0\r\n\r\n".utf8))
  }

  private mutating func judge(_ name: String, _ path: String, _ end: Ended, mustSucceed: Bool) {
    tally.judge(name, path, end, body: Array(path.utf8), mustSucceed: mustSucceed)
  }
}
