// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import TestSupport
import Testing

@testable import URLLoading

/// Every row of the fault catalogue on a load, below both APIs.
@Suite struct FaultTableTests {
  /// One server for all cases of a test, with one context, so that a fault may spoil what comes after it.
  private func run(_ cases: [FaultCase]) async throws {
    try await onThread {
      let server = LessonServer(routes: FaultCatalogue.routes(of: cases) + Route.standard)
      try server.start()
      defer { server.stop() }
      for fault in cases { try Self.play(fault, on: server) }
    }
  }

  private static func play(_ fault: FaultCase, on server: LessonServer) throws {
    var configuration = LoadConfiguration()
    configuration.wire.idleTimeout = seconds(TestMachine.generous(fault.idleTimeout))
    let total = fault.resourceTimeout.map { seconds($0) * (TestMachine.isSanitized ? 8 : 1) }
    configuration.wire.totalTimeout = total ?? TestMachine.patience
    let context = LoadContext(configuration)
    for (index, exchange) in fault.exchanges.enumerated() {
      if let pause = exchange.pauseBefore { Thread.sleep(forTimeInterval: seconds(pause)) }
      let probe = LoadProbe()
      Load(try request(exchange, server.url(fault.path(index))), in: context, sink: .collect, client: probe).start()
      let end = try #require(probe.waitForEnd(), "\(fault): never ended")
      judge(end, probe, exchange, fault)
    }
    #expect(try nextBody(server, context) == Data("ok".utf8), "\(fault): spoiled the next request")
  }

  /// The body of an ordinary request. Where a row is about the whole time, that of this one is as short, and on a busy
  /// machine it may be over too soon: then it is asked again.
  private static func nextBody(_ server: LessonServer, _ context: LoadContext) throws -> Data? {
    var request = URLRequest(url: try #require(URL(string: server.url("/ok"))))
    request.timeoutInterval = TestMachine.patience
    let limit = ContinuousClock.now + .seconds(TestMachine.patience)
    while true {
      let probe = LoadProbe()
      Load(request, in: context, sink: .collect, client: probe).start()
      let end = probe.waitForEnd()
      let isShort = context.configuration.wire.totalTimeout < TestMachine.patience
      guard end?.error?.code == .timedOut, isShort, .now < limit else {
        return end?.body
      }
    }
  }

  private static func judge(_ end: LoadEnd, _ probe: LoadProbe, _ exchange: FaultExchange, _ fault: FaultCase) {
    let body = Array(end.body ?? Data())
    let status = probe.record.withLock { $0.responses.last } ?? 0
    let isExpected = exchange.outcomes.contains { outcome in
      switch outcome {
      case .success(let expectedStatus, let expectedBody):
        end.error == nil && status == expectedStatus && body == expectedBody
      case .failure(let codes): end.error.map { codes.contains($0.errorCode) } ?? false
      }
    }
    let seen = end.error.map { "\($0.errorCode) \($0.localizedDescription)" } ?? "\(status), \(body.count) bytes"
    #expect(isExpected, "\(fault): ended with \(seen), not \(exchange.outcomes.map(short))")
    #expect(end.error == nil || exchange.trueBody.starts(with: body), "\(fault): delivered what was never sent")
  }

  private static func short(_ outcome: FaultOutcome) -> String {
    switch outcome {
    case .success(let status, let body): "success \(status) of \(body.count) bytes"
    case .failure(let codes): "failure \(codes)"
    }
  }

  private static func request(_ exchange: FaultExchange, _ url: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = exchange.method
    if exchange.bodySize > 0 { request.httpBody = Data(SeededBody(seed: 1).bytes(0..<exchange.bodySize)) }
    return request
  }

  private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

  @Test func `every row ends as the table says, and the next request works`() async throws {
    try await run(FaultCatalogue.http1)
  }

  @Test func `cut at every byte, by FIN and by RST, no response is a success`() async throws {
    try await run(TestMachine.sample(FaultCatalogue.headCuts + FaultCatalogue.bodyCuts))
    try await run(TestMachine.sample(FaultCatalogue.resetCuts + FaultCatalogue.chunkedCuts))
  }
}
