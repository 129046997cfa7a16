// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// LC-06 and LC-08: many tasks at once, and what a child of the process would inherit.
@Suite(.exitTests, .serialized) struct ManyTasksTests {
  private static let routes = [Route("/task/*", script: .response(.text("ok")))]

  @Test func `1,000 tasks at once all succeed over at most 6 connections (LC-06)`() async throws {
    let fixture = try Fixture(Self.routes)
    let ends = EventLog<Int>()
    for number in 0..<1000 {
      let url = try fixture.url("/task/\(number)")
      fixture.session.dataTask(with: url) { data, _, error in
        ends.append(error == nil && data == Data("ok".utf8) ? number : -1)
      }.resume()
    }
    let numbers = try await ends.wait(within: .seconds(TestMachine.patience)) { $0.count == 1000 }
    #expect(Set(numbers) == Set(0..<1000))
    let log = fixture.server.log.snapshot()
    #expect(log.requests.count == 1000)
    #expect(Set(log.requests.map(\.socket)).count <= 6)
  }

  @Test func `100 tasks share one connection where the configuration wants that (LC-06)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    let fixture = try Fixture(Self.routes, configuration: configuration)
    let ends = EventLog<Int>()
    for number in 0..<100 {
      let url = try fixture.url("/task/\(number)")
      fixture.session.dataTask(with: url) { _, _, _ in ends.append(number) }.resume()
    }
    try await ends.wait(within: .seconds(TestMachine.patience)) { $0.count == 100 }
    let requests = fixture.server.log.snapshot().requests
    #expect(Set(requests.map(\.target)) == Set((0..<100).map { "/task/\($0)" }))
    #expect(requests.count == 100)
    #expect(Set(requests.map(\.socket)).count == 1)
  }

  @Test func `connections and files of a session are closed in a child (LC-08)`() async throws {
    let server = LessonServer(routes: [PartRoutes.held("/file")])
    try server.start()
    let address = server.url("/file")
    await #expect(processExitsWith: .success) { [address = address as String] in
      let directory = try TestDirectory()
      let before = Self.inherited
      let recorder = Recorder()
      let session = URLSession(.default, delegate: recorder, queue: nil, directory: directory.url)
      let url = try #require(URL(string: address))
      session.dataTask(with: url).resume()
      session.downloadTask(with: url).resume()
      try await recorder.log.wait {
        $0.contains { $0.kind == "written" } && $0.contains { $0.kind == "data" }
      }
      // Sessions that are made at the same time find each the pair of its own.
      let sessions = Locked<[URLSession]>([])
      DispatchQueue.concurrentPerform(iterations: 16) { _ in
        let session = URLSession(configuration: .ephemeral)
        sessions.withLock { $0.append(session) }
      }
      let during = Self.inherited
      for session in sessions.withLock({ $0 }) { session.finishTasksAndInvalidate() }
      #expect(during.subtracting(before) == [])
      session.invalidateAndCancel()
      try await recorder.log.wait { $0.isInvalid }
    }
  }

  /// The descriptors that a child would inherit. By number: the file that a descriptor from the test's own process leads to
  /// may be renamed or removed there.
  private static var inherited: Set<Int32> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
  }
}
