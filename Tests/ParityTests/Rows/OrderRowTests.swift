// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// LC-06 and LC-09: many loads at once, on both APIs.
@Suite(.exitTests) struct OrderRowTests {
  /// Starts `count` loads in order, and waits for all of them; each has an observation of its own.
  private static func run(_ face: Face, _ urls: [String], connections: Int = 6) async throws -> [Observation.Facts] {
    let crowd = Client(face) { $0.httpMaximumConnectionsPerHost = connections }
    let observations = try urls.map { crowd.start(URLRequest(url: try #require(URL(string: $0)))) }
    for observation in observations {
      #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
    }
    await crowd.close()
    return observations.map(\.facts)
  }

  /// In a process of its own: while another test has a class of its own registered, connections are asked about on a queue
  /// first, and those that begin after it is taken back pass them.
  @Test(arguments: [Face.connection, .asynchronous, .handlerTask])
  func `who comes first is served first (LC-06)`(face: Face) async {
    await #expect(processExitsWith: .success) { [face = face as Face] in
      let count = 300
      let server = LessonServer(routes: [Route("/*", script: .response(.text("ok")))])
      try server.start()
      let facts = try await Self.run(face, (0..<count).map { server.url("/\($0)") }, connections: 1)
      #expect(facts.allSatisfy { $0.error == nil && $0.ends == 1 })
      let order = server.log.snapshot().requests.compactMap { Int($0.target.dropFirst()) }
      #expect(order.sorted() == Array(0..<count))
      let limit = face.isSession ? 1 : 6
      #expect(Set(server.log.snapshot().requests.map(\.socket)).count == limit)
      // Those on the way at the same time reach the server in any order among themselves, and one of its threads may rest for
      // many turns of the others; so with six it is the mean that counts.
      let displacement = order.enumerated().map { abs($0.offset - $0.element) }.reduce(0, +)
      #expect(displacement <= (limit == 1 ? 0 : count * 20), "\(displacement)")
      server.stop()
    }
  }

  /// Loads one after the other, each from where the last one ended.
  private static func chain(_ count: Int, _ load: @escaping @Sendable (@escaping @Sendable (Data?) -> Void) -> Void)
    async -> Int
  {
    await withCheckedContinuation { continuation in
      let left = Locked((count, 0))
      @Sendable func next() {
        load { data in
          let (isOver, failures) = left.withLock { left in
            left.0 -= 1
            if data != Data("ok".utf8) { left.1 += 1 }
            return (left.0 == 0, left.1)
          }
          if isOver { continuation.resume(returning: failures) } else { next() }
        }
      }
      next()
    }
  }

  @Test func `10,000 loads one after the other, by each API (LC-06)`() async throws {
    let server = LessonServer()
    try server.start()
    let request = URLRequest(url: try #require(URL(string: server.url("/ok"))))
    let count = TestMachine.repetitions(10_000)
    let session = URLSession(configuration: .ephemeral)
    let bySession = await Self.chain(count) { then in
      session.dataTask(with: request) { data, _, _ in then(data) }.resume()
    }
    session.finishTasksAndInvalidate()
    let queue = OperationQueue()
    let byConnection = await Self.chain(count) { then in
      NSURLConnection.sendAsynchronousRequest(request, queue: queue) { _, data, _ in then(data) }
    }
    #expect(bySession == 0 && byConnection == 0)
    let counts = server.log.counts
    // One connection for each; that of all NSURLConnections may make room for those of other tests.
    #expect(counts.opened < 100)
    server.stop()
  }

  /// LC-09: the same result as alone. All faults of HTTP/1.1, twenty at a time, each judged as if it were alone.
  @Test(arguments: [Face.connection, .handlerTask])
  func `twenty at once end as each would alone (LC-09)`(face: Face) async throws {
    // NSURLConnection knows no time-out for the whole load, which some cases need for their end.
    let faults = FaultCatalogue.http1.filter { $0.resourceTimeout == nil || face.hasResourceTimeout }
    let breaches = try await withThrowingTaskGroup(of: [String].self) { group in
      var breaches: [String] = []
      for (number, fault) in faults.enumerated() {
        if number >= 20, let ended = try await group.next() { breaches += ended }
        group.addTask {
          var run = FaultRun(fault, on: face)
          try await run.run()
          return run.breaches
        }
      }
      for try await ended in group { breaches += ended }
      return breaches
    }
    #expect(breaches.isEmpty, "\(breaches.joined(separator: "\n"))")
  }
}
