// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI

/// Loads that go out together on a host of which an answer was labelled with a version it does not have.
///
/// One connection stays open and idle meanwhile, so that what the client knows about the host outlives the answer.
struct LabelRun {
  /// The way to the server.
  enum Way: String, CaseIterable, Sendable, Codable {
    case plain, proxy, secure
  }

  let kind: ClientKind
  let way: Way
  /// Each breach as a sentence.
  private(set) var breaches: [String] = []
  private(set) var loads = 0
  private(set) var failures = 0

  /// With each label so many rounds of two loads.
  static let rounds = 9

  init(_ kind: ClientKind, _ way: Way) {
    (self.kind, self.way) = (kind, way)
  }

  /// Runs with these labels, each against a server of its own. Behind a proxy with one, in a process of its own whose
  /// environment names it: an API reads that once.
  mutating func run(_ labels: [Label] = Label.all) async throws {
    for label in labels { try await run(label) }
  }

  private mutating func run(_ label: Label) async throws {
    let server = try TextServer(tls: way == .secure ? ["http/1.1"] : nil) { target in
      target.hasSuffix("keep") || target.hasSuffix("landing")
    }
    defer { server.raw.stop() }
    if way == .proxy { setenv("http_proxy", "http://127.0.0.1:\(server.raw.port)", 1) }
    let client = kind.makeClient()
    // One breach is enough: what hangs costs its whole time-out.
    let before = breaches.count
    for round in 1...Self.rounds where breaches.count == before {
      let poison = try client.start(url("evil", "/\(round)/poison", server))
      let asked = try await server.request("/\(round)/poison")
      let keep = try client.start(url("evil", "/\(round)/keep", server))
      judge("keep", label, await keep.ending(), url("evil", "/\(round)/keep", server), mustSucceed: true)
      asked.connection.spoil()
      label.answer(asked)
      _ = await poison.ending()
      try await runPair(round, label, client, server)
    }
    await client.close()
  }

  private mutating func runPair(_ round: Int, _ label: Label, _ client: Client, _ server: TextServer) async throws {
    let addresses = [url("evil", "/\(round)/first", server), url("bank", "/\(round)/second", server)]
    let loads = try addresses.map { try client.start($0) }
    let pair = try await server.answerPair(["/\(round)/first", "/\(round)/second"])
    // A load that has lost its answer to the other one ends with the connection.
    if pair.isShared { pair.asked[0].connection.end(.fin) }
    if pair.isShared { breaches.append("\(label.name): both loads are on one connection of HTTP/1.1") }
    for (index, asked) in pair.asked.enumerated() {
      let isLawful = !pair.isShared && !asked.connection.isSpoiled
      judge("load", label, await loads[index].ending(), addresses[index], mustSucceed: isLawful)
    }
  }

  private func url(_ host: String, _ path: String, _ server: TextServer) -> String {
    way == .proxy ? "http://\(host).invalid\(path)" : server.raw.url(path)
  }

  /// A body names the target of its request: behind a proxy the whole URL, else the path.
  private mutating func judge(_ name: String, _ label: Label, _ end: Ended, _ url: String, mustSucceed: Bool) {
    loads += 1
    let target = way == .proxy ? url : URL(string: url)?.path ?? ""
    let isOwn = end.isSuccess && end.body == Array(target.utf8)
    if !end.isSuccess { failures += 1 }
    if end.isMissing || end.isSuccess && !isOwn || end.code == -1001 || mustSucceed && !isOwn {
      breaches.append("\(label.name): \(name) of \(target) ended with \(end)")
    }
  }
}
