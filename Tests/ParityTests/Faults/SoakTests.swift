// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// LC-07: loads that end in every way, mixed, over and over, on both APIs: nothing of them stays, neither descriptors nor
/// memory. Each face in a process of its own, against a server in this one.
///
/// A few rounds in every run of the tests. For hours: `WORKBENCH_SOAK_MINUTES=480 swift test --filter LC-07`, which prints
/// what it measured.
@Suite(.exitTests) struct SoakTests {
  @Test(arguments: Face.allCases)
  func `mixed faults leave neither descriptors nor memory behind (LC-07)`(face: Face) async throws {
    let minutes = ProcessInfo.processInfo.environment["WORKBENCH_SOAK_MINUTES"].flatMap { Double($0) }
    let server = LessonServer(routes: SoakLoad.routes)
    try server.start()
    let (port, length) = (Int(server.port), minutes ?? 0)
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [face = face as Face, port = port as Int, length = length as Double] in
      var soak = Soak(face: face, port: port, half: length > 0 ? .seconds(length * 30) : nil)
      try await soak.run()
    }
    if minutes != nil { print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)) }
    server.stop()
  }
}

/// The child's side.
private struct Soak {
  let face: Face
  let port: Int
  /// How long each half goes on; nil for a count of rounds.
  let half: Duration?
  private var rounds = 0

  /// How much the memory of a half may differ from that before it, in bytes: a heap breathes. What stays of each load
  /// shows in every half, and this much is some kilobytes for each load of the shortest.
  private static let bound = 2 << 20

  /// Idle connections are kept for a while, and closed ones go a moment later.
  private static let idle = 8

  init(face: Face, port: Int, half: Duration?) {
    (self.face, self.port, self.half) = (face, port, half)
  }

  /// Rounds until nothing new is made any more; then two halves, which have to leave as much as each other. Memory may
  /// settle later than that on a heap of many threads, so there are further halves as long as it grows; what leaks never
  /// stops growing.
  mutating func run() async throws {
    for _ in 0..<(TestMachine.isSanitized ? 1 : 3) { try await round() }
    var before = measure()
    let descriptors = before.descriptors
    for attempt in 1...(TestMachine.isSanitized ? 1 : 5) {
      try await runHalf()
      try await eventually { ProcessUsage.descriptors <= descriptors + Self.idle }
      let after = measure()
      report("\(face.rawValue): \(rounds) rounds, \(before) -> \(after)")
      // A sanitizer keeps what was freed, to look at it.
      if TestMachine.isSanitized || attempt > 1 && after.resident - before.resident <= Self.bound { return }
      before = after
    }
    Issue.record("\(face.rawValue): memory grows with every half")
  }

  private mutating func runHalf() async throws {
    let end = half.map { ContinuousClock.now + $0 }
    var left = TestMachine.isSanitized ? 1 : 4
    while end.map({ ContinuousClock.now < $0 }) ?? (left > 0) {
      try await round()
      left -= 1
    }
  }

  private func measure() -> Usage {
    ProcessUsage.returnFreeMemory()
    return Usage(descriptors: ProcessUsage.descriptors, resident: ProcessUsage.resident)
  }

  private struct Usage: CustomStringConvertible {
    var descriptors: Int
    var resident: Int
    var description: String { "\(descriptors) descriptors, \(resident >> 10) KiB" }
  }

  /// One client, all loads at once, some of each kind.
  private mutating func round() async throws {
    rounds += 1
    let client = Client(face) { $0.httpMaximumConnectionsPerHost = 16 }
    var running: [(load: SoakLoad, observation: Observation)] = []
    for load in (0..<3).flatMap({ _ in SoakLoad.all }) {
      guard let url = URL(string: "http://127.0.0.1:\(port)\(load.path)") else { continue }
      var request = URLRequest(url: url)
      request.timeoutInterval = load.limit
      let (observation, cancel) = client.begin(request)
      switch load.cancels {
      case .never: break
      case .atOnce: cancel()
      case .later:
        Task.detached {
          // Cancelled connections say nothing more, and those that cannot be cancelled end by their time-out.
          try? await eventually { observation.facts.status != nil || observation.facts.ends > 0 }
          cancel()
        }
      }
      if load.cancels == .never || face != .connection { running.append((load, observation)) }
    }
    for (load, observation) in running {
      guard await observation.hasEnded(within: .seconds(TestMachine.patience)) else {
        Issue.record("\(load.path), \(face.rawValue): has not ended")
        continue
      }
      let code = (observation.facts.error as? URLError)?.errorCode
      let codes = load.cancels == .never || face == .asynchronous ? [load.code] : [load.code, -999]
      if !codes.contains(code) { Issue.record("\(load.path), \(face.rawValue): ended with \(code ?? 0)") }
    }
    await client.close()
  }

  private func report(_ sentence: String) {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
  }
}

/// One kind of load, and how it ends.
private struct SoakLoad {
  enum Cancelling { case never, atOnce, later }

  var path: String
  var code: Int?
  var limit = TestMachine.patience
  var cancels = Cancelling.never

  private static let shortly = 0.25

  static let all = [
    SoakLoad(path: "/ok"), SoakLoad(path: "/large"), SoakLoad(path: "/zipped"), SoakLoad(path: "/moved"),
    SoakLoad(path: "/fin", code: -1005), SoakLoad(path: "/rst", code: -1005),
    SoakLoad(path: "/stall", code: -1001, limit: shortly), SoakLoad(path: "/silent", code: -1001, limit: shortly),
    SoakLoad(path: "/garbage", code: -1017), SoakLoad(path: "/loop", code: -1007),
    SoakLoad(path: "/half-zipped", code: -1015), SoakLoad(path: "/large", cancels: .atOnce),
    SoakLoad(path: "/stall", code: -1001, limit: shortly, cancels: .later),
  ]

  /// The behaviour of the server.
  static let routes: [Route] = {
    let large = Response(body: .seeded(seed: 3, range: 0..<300_000))
    let dots = [UInt8](repeating: 46, count: 900)
    let zipped = Response(
      fields: [HeaderField("Content-Encoding", "gzip")], body: .bytes(StoredCoding.gzip(dots)))
    func redirect(to path: String) -> Script { .response(Response(302, fields: [HeaderField("Location", path)])) }
    return [
      Route("/ok", script: .response(.text("ok"))), Route("/large", script: .response(large)),
      Route("/zipped", script: .response(zipped)), Route("/moved", script: redirect(to: "/ok")),
      Route("/fin", script: Script.response(large).cut(after: 100_000, by: .fin)),
      Route("/rst", script: Script.response(large).cut(after: 100_000, by: .rst)),
      Route("/stall", script: [.bytes(large.head), .stall]), Route("/silent", script: [.stall]),
      Route("/garbage", script: [.text("SSH-2.0-OpenSSH_9.2\r\n"), .end(.fin)]),
      Route("/loop", script: redirect(to: "/loop")),
      Route("/half-zipped", script: Script.response(halved(zipped))),
    ]
  }()

  /// The first half of a body, as if it were the whole.
  private static func halved(_ response: Response) -> Response {
    var response = response
    if case .bytes(let bytes) = response.body { response.body = .bytes(Array(bytes.prefix(bytes.count / 2))) }
    return response
  }
}
