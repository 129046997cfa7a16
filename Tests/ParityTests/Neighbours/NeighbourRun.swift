// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// Loads beside and behind broken answers on one host. Each has its own body or an error; and on a connection on which the
/// server broke no rule its own body.
struct NeighbourRun {
  let kind: ClientKind
  /// All choices follow from it. A client has the cases of one seed one after the other, so that what one leaves behind
  /// meets the next.
  let seed: UInt64
  /// Each breach as a sentence.
  private(set) var breaches: [String] = []
  private(set) var loads = 0
  private(set) var successes = 0

  static let casesPerSeed = 5

  init(_ kind: ClientKind, seed: UInt64) {
    (self.kind, self.seed) = (kind, seed)
  }

  mutating func run() async throws {
    var choice = SeededChoice(seed: seed)
    let server = try TextServer { !$0.hasPrefix("/n/") || $0.contains("landing") }
    defer { server.raw.stop() }
    let client = kind.makeClient()
    for number in 1...Self.casesPerSeed where breaches.isEmpty {
      let answer = BrokenAnswer.next(&choice)
      try await run("case \(number) of seed \(seed), \(answer.name)", "/n/\(number)", answer, &choice, client, server)
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
    let end = await started[1].ending()
    if end.isMissing || end.code == -1001 { breaches.append("\(name): its load ended with \(end)") }
    try await runPair(name, folder, &choice, client, server)
    let facts = started[1].facts
    if facts.ends > 1 || facts.late > 0 { breaches.append("\(name): its load ended \(facts.ends) times") }
  }

  private mutating func runPair(
    _ name: String, _ folder: String, _ choice: inout SeededChoice, _ client: Client, _ server: TextServer
  ) async throws {
    let paths = ["first", "second"].map { "\(folder)/\($0)" }
    let started = try paths.map { try client.start(server.raw.url($0)) }
    var own = choice
    let pair = try await server.answerPair(paths) { reply(to: $0, &own) }
    choice = own
    if pair.isShared { breaches.append("\(name): both loads are on one connection") }
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
    loads += 1
    let isOwn = end.isSuccess && end.status == 200 && end.body == Array(path.utf8)
    if isOwn { successes += 1 }
    if end.isMissing || end.isSuccess && !isOwn || end.code == -1001 || mustSucceed && !isOwn {
      breaches.append("\(name): \(path) ended with \(end)\(mustSucceed ? ", on a connection that is in order" : "")")
    }
  }
}
