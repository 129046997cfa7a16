// SPDX-License-Identifier: Apache-2.0
import LessonServer
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// The families of faults: a response that is cut at every one of its bytes is never a success. Each family has a server of
/// its own, and runs beside the others.
@Suite struct CutTests {
  @Test(arguments: Face.allCases)
  func `FIN at every byte of the head never yields success (H1-17)`(face: Face) async throws {
    try await expectNoBreach(of: FaultCatalogue.headCuts, on: face)
  }

  @Test(arguments: Face.allCases)
  func `RST at every byte of head and body never yields success (H1-18)`(face: Face) async throws {
    try await expectNoBreach(of: FaultCatalogue.resetCuts, on: face)
  }

  @Test(arguments: Face.allCases)
  func `FIN at every byte of a body with a length never yields success (H1-24)`(face: Face) async throws {
    try await expectNoBreach(of: FaultCatalogue.bodyCuts, on: face)
  }

  @Test(arguments: Face.allCases)
  func `FIN or RST at every byte of a chunked response never yields success (H1-30)`(face: Face) async throws {
    try await expectNoBreach(of: FaultCatalogue.chunkedCuts, on: face)
  }

  @Test(arguments: Face.allCases)
  func `a gzip body cut at every byte never yields success, however it is framed (CE-02)`(face: Face) async throws {
    try await expectNoBreach(of: FaultCatalogue.codingCuts, on: face)
  }

  /// Runs the cases one after the other against one server.
  private func expectNoBreach(of cases: [FaultCase], on face: Face) async throws {
    #expect(cases.count > 25)
    let ok = Route("/ok", script: .response(.text("ok")))
    let server = LessonServer(routes: FaultCatalogue.routes(of: cases) + [ok])
    try server.start()
    defer { server.stop() }
    for fault in TestMachine.sample(cases) {
      var run = FaultRun(fault, on: face)
      try await run.run(on: server)
      for breach in run.breaches { Issue.record("\(breach)") }
    }
  }
}
