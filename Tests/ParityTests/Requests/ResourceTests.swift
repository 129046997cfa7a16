// SPDX-License-Identifier: Apache-2.0
import LessonServer
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// U5 and U6, and the bounds on memory: all faults, one after the other, in a process of the face's own.
/// Not under a sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct ResourceTests {
  @Test(arguments: Face.allCases)
  func `no fault ends the process, grows it or leaves anything open (U5, U6)`(face: Face) async throws {
    let server = LessonServer(
      routes: FaultCatalogue.routes(of: FaultCatalogue.http1) + [Route("/ok", script: .response(.text("ok")))])
    try server.start()
    let port = Int(server.port)
    await #expect(processExitsWith: .success) { [face = face as Face, port = port as Int] in
      let child = FaultProcess(face: face, port: port)
      await child.run()
    }
    server.stop()
  }
}

/// The child's side: the server is in the parent.
struct FaultProcess {
  let face: Face
  let port: Int

  func run() async {
    // Resources that are made once, at the first success and the first failure, do not count.
    for id in ["H1-06", "H1-03", "H1-15"] {
      for fault in FaultCatalogue.http1 where fault.id == id { await load(fault) }
    }
    openSharedCache()
    let (descriptors, threads) = (ProcessUsage.descriptors, ProcessUsage.threads)
    for fault in FaultCatalogue.http1 where fault.resourceTimeout == nil || face.hasResourceTimeout {
      await measure(fault)
    }
    await expect("descriptors") { ProcessUsage.descriptors <= descriptors }
    await expect("threads") { ProcessUsage.threads <= threads }
  }

  /// The index of the shared cache stays open once something lies on the disk, which is a moment after a load has ended.
  private func openSharedCache() {
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return }
    let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    URLCache.shared.storeCachedResponse(CachedURLResponse(response: response, data: Data()), for: URLRequest(url: url))
  }

  private func measure(_ fault: FaultCase) async {
    ProcessUsage.resetPeak()
    let before = ProcessUsage.resident
    await load(fault)
    let growth = ProcessUsage.peak - before
    for case .growth(let limit) in fault.checks where growth > limit {
      Issue.record("\(fault.id) \(fault.variant), \(face.rawValue): grew by \(growth) bytes")
    }
  }

  /// Runs the exchanges of a case on a client of its own.
  private func load(_ fault: FaultCase) async {
    let resource = face.hasResourceTimeout ? fault.resourceTimeout : nil
    let client = Client(face, idleTimeout: fault.idleTimeout, resourceTimeout: resource)
    for (number, exchange) in fault.exchanges.enumerated() {
      guard let url = URL(string: "http://127.0.0.1:\(port)\(fault.path(number))") else { continue }
      if let pause = exchange.pauseBefore { try? await Task.sleep(for: pause) }
      let observation = client.start(exchange.request(to: url, idleTimeout: fault.idleTimeout))
      if await !observation.hasEnded(within: .seconds(TestMachine.patience)) {
        Issue.record("\(fault.id) \(fault.variant), \(face.rawValue): has not ended")
      }
    }
    await client.close()
  }

  /// Threads of the system's pools go some seconds after their last work.
  private func expect(_ name: String, _ isBack: () -> Bool) async {
    let limit = ContinuousClock.now + .seconds(TestMachine.patience)
    while !isBack(), ContinuousClock.now < limit { try? await Task.sleep(for: .milliseconds(50)) }
    if !isBack() { Issue.record("\(face.rawValue): more \(name) than before") }
  }
}
