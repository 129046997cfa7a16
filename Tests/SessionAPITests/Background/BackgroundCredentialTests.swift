// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import LessonServer
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// BG-54 and on: credentials of requests and configurations, which no journal has.
@Suite(.serialized) struct BackgroundCredentialTests {
  private static let token = "Bearer 5ecret"

  private static func hasSecret(_ place: BackgroundPlace, _ identifier: String = "test") throws -> Bool {
    try String(contentsOf: place.places.folder(of: identifier).appending(path: Journal.name), encoding: .utf8)
      .contains("5ecret")
  }

  private static func tokens(_ server: LessonServer) -> [String?] {
    server.log.snapshot().requests(for: "/file").map { $0["Authorization"] }
  }

  /// A program whose download waits at a gate, and whose requests have a token.
  private static func begin() async throws -> BackgroundBench {
    let bench = try await BackgroundBench(variables: ["BACKGROUND_TOKEN": token])
    let folder = bench.place.places.folder(of: "test")
    try await eventually { (try? Journal(in: folder) { _ in })??.tasks.values.first?.resume != nil }
    #expect(try !hasSecret(bench.place))
    return bench
  }

  @Test func `a program gives the credentials again to an agent that has read the journal (BG-54)`() async throws {
    let bench = try await Self.begin()
    let (server, place, program) = (bench.server, bench.place, bench.program)
    try await place.killAgent()
    server.open(gate: "rest")
    let lines = try await program.ended()
    #expect(lines.suffix(4) == ["file 0", "complete 0 0", "done", "end"])
    #expect(!lines.contains { $0.hasPrefix("begins") })
    #expect(place.sum(of: "0") == PartRoutes.checksum)
    #expect(Self.tokens(server) == [Self.token, Self.token])
    try await place.agentEnds()
  }

  @Test func `the delegate of the next program is asked for them when both were killed (BG-54)`() async throws {
    let bench = try await Self.begin()
    let (server, place, program, url) = (bench.server, bench.place, bench.program, bench.url)
    try await program.kill()
    try await place.killAgent()
    // An agent that works for another program leaves the task alone.
    let other = try ProgramRun(place, identifier: "other", urls: [url])
    _ = try await other.lines.wait { $0.contains { $0.hasPrefix("written") } }
    #expect(Self.tokens(server).count == 2)
    server.open(gate: "rest")
    try await other.ended()
    try FileManager.default.removeItem(at: place.files.appending(path: "0"))
    let lines = try await ProgramRun(place, urls: [url]).ended()
    #expect(lines.contains("begins 0"))
    #expect(lines.count { $0 == "file 0" } == 1)
    #expect(place.sum(of: "0") == PartRoutes.checksum)
    #expect(Self.tokens(server) == [Self.token, Self.token, Self.token])
    try await place.agentEnds()
  }

  @Test func `neither URLs nor configurations nor proxies leave a credential in a journal (BG-54)`() async throws {
    let bench = try await BackgroundBench()
    var settings = TalkClient.settings
    settings.wire.fields = ["authorization": "5ecret", "X-Plain": "plain"]
    let proxies: [AnyHashable: Any] = ["HTTPEnable": 0, "kCFProxyPasswordKey": "5ecret", "A": "http://a:5ecret@b"]
    settings.wire.proxies = ProxySettings(proxies)
    // For no host that is asked here.
    var choice = ProxyChoice(.tunnel, host: "127.0.0.1", port: 1)
    (choice.user, choice.password, choice.domains) = ("lesson", "5ecret", ["a.example"])
    settings.wire.proxyChoices = [choice]
    let client = try await TalkClient(bench.place, identifier: "other", settings)
    var task = TalkClient.task(try #require(URL(string: "http://lesson:5ecret@127.0.0.1:\(bench.url.port ?? 0)/file")))
    task.request.fields = ["Cookie": "a=5ecret", "X-Plain": "plain"]
    try client.say(.start(task))
    let folder = bench.place.places.folder(of: "other")
    try await eventually { (try? Journal(in: folder) { _ in })??.tasks.values.first?.resume != nil }
    #expect(try !Self.hasSecret(bench.place, "other"))
    let journal = try #require(try Journal(in: folder) { _ in })
    #expect(journal.settings.wire.fields == ["X-Plain": "plain"] && journal.settings.lacksCredentials == true)
    #expect(journal.settings.wire.proxyChoices == [choice.withoutCredentials])
    #expect(journal.tasks[task.key]?.request.fields == ["X-Plain": "plain"])
    let requests = bench.server.log.snapshot().requests(for: "/file")
    #expect(requests.last?["Cookie"] == "a=5ecret")
    try client.say(.cancel(task.key))
    client.close()
    try await bench.isDone()
  }
}
