// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import ServerParts
import TestSupport
import Testing

/// One fault case on one face, with the universal assertions U1 to U4, U8 and U9 of the fault catalogue and the case's own
/// checks. Every breach is a sentence in `breaches`.
struct FaultRun {
  let fault: FaultCase
  let face: Face
  private(set) var breaches: [String] = []
  private var observations: [Observation] = []

  init(_ fault: FaultCase, on face: Face) {
    self.fault = fault
    self.face = face
  }

  /// Runs the case against a server of its own.
  mutating func run() async throws {
    let server = LessonServer(routes: fault.routes + [Route("/ok", script: .response(.text("ok")))])
    try server.start()
    try await run(on: server)
    server.stop()
  }

  /// Runs the case against a server that plays it.
  mutating func run(on server: LessonServer) async throws {
    let resource = face.hasResourceTimeout ? fault.resourceTimeout : nil
    let idle = TestMachine.generous(fault.idleTimeout)
    let client = Client(face, idleTimeout: idle, resourceTimeout: resource)
    var isOver = true
    for (number, exchange) in fault.exchanges.enumerated() where isOver {
      if let pause = exchange.pauseBefore { try await Task.sleep(for: pause) }
      let url = try #require(URL(string: server.url(fault.path(number))))
      let observation = client.start(exchange.request(to: url, idleTimeout: idle))
      observations.append(observation)
      // A minute and a half stands for "hangs": other tests share the processor.
      isOver = await observation.hasEnded(within: fault.deadline + .seconds(TestMachine.patience))
      if isOver { judge(observation.facts, exchange) } else { report("U5: it has not ended") }
    }
    try await followUp(client, server)
    await client.close()
    for observation in observations {
      if observation.facts.ends > 1 { report("U1: it ended \(observation.facts.ends) times") }
      if observation.facts.late > 0 { report("U1: \(observation.facts.late) calls came after its end") }
    }
  }

  private mutating func report(_ text: String) {
    breaches.append("\(fault.id) \(fault.variant), \(face.rawValue): \(text)")
  }

  // MARK: Judging

  private mutating func judge(_ facts: Observation.Facts, _ exchange: FaultExchange) {
    if let error = facts.error {
      let code = (error as? URLError)?.errorCode ?? 0
      let isRight = exchange.outcomes.contains {
        if case .failure(let codes) = $0 { codes.contains(code) } else { false }
      }
      if !isRight { report("failed with \(code), which is not one of \(exchange.outcomes)") }
      if !exchange.trueBody.starts(with: facts.body) { report("U3: \(facts.body.count) bytes are no beginning") }
      judge(error)
    } else if !exchange.outcomes.contains(.success(status: facts.status ?? 0, body: facts.body)) {
      let text = String(decoding: facts.body.prefix(40), as: UTF8.self)
      report("U2: succeeded with \(facts.status ?? 0), \(facts.body.count) bytes '\(text)'")
    }
  }

  /// U4: the domain, the failing URL without user name, and the cause beneath with a text.
  private mutating func judge(_ error: any Error) {
    let bridged = error as NSError
    if bridged.domain != NSURLErrorDomain { report("U4: the domain is \(bridged.domain)") }
    guard let info = (error as? URLError)?.userInfo else { return report("U4: no URLError") }
    let url = info[NSURLErrorFailingURLErrorKey] as? URL
    let wanted = fault.checks.compactMap { if case .failingURL(let url) = $0 { url } else { nil } }.first
    if wanted.map({ $0 != url?.absoluteString }) ?? (url?.path.hasPrefix("/fault/") != true) {
      report("U4: the failing URL is \(String(describing: url))")
    }
    if info["NSErrorFailingURLStringKey"] as? String != url?.absoluteString { report("U4: the URL's string differs") }
    guard let beneath = info[NSUnderlyingErrorKey] as? NSError else { return report("U4: no cause beneath") }
    if beneath.localizedDescription.isEmpty { report("U4: the cause has no text") }
  }

  /// U8: the next request of the same client works. U9: no cookie was kept. Then the case's own checks.
  private mutating func followUp(_ client: Client, _ server: LessonServer) async throws {
    var next = URLRequest(url: try #require(URL(string: server.url("/ok"))))
    next.timeoutInterval = 80
    let observation = client.start(next)
    let isOver = await observation.hasEnded(within: .seconds(90))
    let facts = observation.facts
    if !isOver || facts.error != nil || facts.body != Array("ok".utf8) {
      report("U8: the next request got \(facts.status ?? 0), '\(facts.body)', \(String(describing: facts.error))")
    }
    guard !fault.checks.isEmpty else { return }
    let log = await settled(server)
    for check in fault.checks { judge(check, log) }
  }

  private func settled(_ server: LessonServer) async -> ServerLogSnapshot {
    let log = server.log
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: log.settled(within: .seconds(TestMachine.patience))) }
    }
  }

  private mutating func judge(_ check: FaultCheck, _ log: ServerLogSnapshot) {
    let first = observations.first?.facts
    let own = log.requests.filter { $0.target.hasPrefix("/fault/") }
    let next = log.requests(for: "/ok").last
    let isMet =
      switch check {
      case .noCookie(let name):
        next?["Cookie"] == nil && HTTPCookieStorage.shared.cookies?.contains { $0.name == name } != true
      case .noField(let name): first?.fields[name.lowercased()] == nil
      case .field(let field): first?.fields[field.name.lowercased()] == field.value
      case .connectionNotReused: log.requests.dropFirst().allSatisfy { $0.socket != own.first?.socket }
      case .bodyNotSent: own.allSatisfy { $0.bodyBytes == 0 }
      case .bodyArrived:
        own.contains { $0.bodyChecksum == SeededBody.checksum(seed: 1, size: fault.exchanges[0].bodySize) }
      // Memory is judged in a process of the case's own.
      case .growth: true
      // Judged with the error.
      case .failingURL: true
      }
    if !isMet { report("\(check) does not hold: \(first?.fields ?? [:])") }
  }
}

extension FaultExchange {
  /// Makes the request that the client sends.
  func request(to url: URL, idleTimeout: Duration) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.timeoutInterval = idleTimeout / .seconds(1)
    if bodySize > 0 { request.httpBody = Data(SeededBody(seed: 1).bytes(0..<bodySize)) }
    if expectsContinue { request.setValue("100-continue", forHTTPHeaderField: "Expect") }
    return request
  }
}
