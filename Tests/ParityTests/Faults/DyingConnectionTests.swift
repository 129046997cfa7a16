// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// POSTs on connections that die at a place which a seed chooses, over HTTP/1.1, TLS and HTTP/2: each reaches the server once at most,
/// ends once, and is a success only with its whole answer (RFC 9110 section 9.2.2).
///
/// Some in every run. For more, `WORKBENCH_DYING=1000`, and for others `WORKBENCH_DYING_SEED=7`; a report names the seed.
@Suite struct DyingConnectionTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["WORKBENCH_DYING"].flatMap { Int($0) } ?? 60
  private static let first = environment["WORKBENCH_DYING_SEED"].flatMap { UInt64($0) } ?? 1
  private static let atOnce = 4

  /// How the requests travel.
  enum Way: String, CaseIterable {
    case plain
    case tls = "TLS"
    case http2 = "HTTP/2"
  }

  @Test(arguments: Face.allCases, Way.allCases)
  func `a POST reaches a server whose connections die once at most (FZ-8)`(face: Face, way: Way) async throws {
    let seed = Self.first
    let routes = [
      Route("/p/*", answer: .early { request in Self.script(for: request.head.target, seed, over: way) })
    ]
    let server: LessonServer
    if way == .plain {
      server = LessonServer(routes: routes)
      try server.start()
    } else {
      server = try TestAuthority.server(.trusted, routes: routes, protocols: way == .http2 ? ["h2"] : ["http/1.1"])
    }
    defer { server.stop() }
    let client = Client(face)
    var choice = SeededChoice(seed: seed)
    var ends: [String: Observation.Facts] = [:]
    for round in 0..<max(1, Self.count / Self.atOnce / Face.allCases.count / Way.allCases.count) {
      var running: [(path: String, load: Observation)] = []
      for number in 0..<Self.atOnce {
        let path = "/p/\(round)/\(number)"
        var request = URLRequest(url: try #require(URL(string: server.url(path, host: "localhost"))))
        request.httpMethod = "POST"
        request.timeoutInterval = TestMachine.patience / 2
        let size = choice.one(of: [0, 1, 1000, 300_000])
        if size > 0 { request.httpBody = Data(repeating: 7, count: size) }
        running.append((path, client.start(request)))
      }
      for (path, load) in running {
        #expect(await load.hasEnded(within: .seconds(TestMachine.patience)), "\(path) of seed \(seed)")
        ends[path] = load.facts
      }
    }
    await client.close()
    let asked = server.log.settled(within: .seconds(TestMachine.patience)).requests.map(\.target)
    for (path, facts) in ends {
      let times = asked.count { $0 == path }
      let isWhole = facts.status == 200 && facts.body == Array(path.utf8)
      let isRight = facts.ends == 1 && facts.late == 0 && times <= 1 && (facts.error != nil || isWhole && times == 1)
      if !isRight {
        Issue.record("\(path) of seed \(seed), \(face), \(way.rawValue): asked \(times) times, \(Ended(facts))")
      }
    }
  }

  /// A lawful answer, or a death: at the head, behind the request, within the answer's head or body, or behind it.
  private static func script(for target: String, _ seed: UInt64, over way: Way) -> Script {
    let mark = target.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
    var choice = SeededChoice(seed: mark)
    let end: [Step] = [way == .http2 ? .drop : .end(choice.one(of: [.fin, .bareFin, .rst, .abruptClose]))]
    let whole = Response(body: .bytes(Array(target.utf8)))
    let partial = Response(
      fields: [HeaderField("Content-Length", "1000")], body: .bytes(Array(target.utf8)), framing: .untilClose)
    return switch choice.number(below: 7) {
    case 0: Script(end, readsBodyFirst: false)
    case 1: Script(end)
    case 2: Script([.response(partial)] + end)
    case 3: Script([.response(partial)] + end, readsBodyFirst: false)
    case 4: Script([.response(whole)] + end)
    default: Script([.response(whole)])
    }
  }
}
