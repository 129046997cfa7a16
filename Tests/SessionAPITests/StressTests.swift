// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import Testing

@testable import SessionAPI

@Suite(.serialized) struct StressTests {
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 4, range: 0..<300_000))))
  ]

  /// Keeps 16 tasks under way until 500 have ended; every other one is cancelled at some moment.
  private final class Load: Sendable {
    let ends = EventLog<(number: Int, code: Int?, bytes: Int)>()
    private let session: URLSession
    private let url: URL
    private let started = Locked(0)
    static let count = 500

    init(_ session: URLSession, _ url: URL) {
      (self.session, self.url) = (session, url)
    }

    func startNext() {
      let number = started.withLock { started in
        started += 1
        return started
      }
      guard number <= Self.count else { return }
      let task = makeTask(number)
      task.resume()
      if number % 2 == 0 { cancel(task, number) }
    }

    private func makeTask(_ number: Int) -> URLSessionTask {
      if number % 3 == 0 {
        return session.downloadTask(with: url) { file, _, error in
          let size = file.flatMap { try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize } ?? 0
          self.ended(number, size, error)
        }
      }
      return session.dataTask(with: url) { data, _, error in self.ended(number, data?.count ?? 0, error) }
    }

    /// At once, or as soon as some bytes have come, by turns.
    private func cancel(_ task: URLSessionTask, _ number: Int) {
      guard number % 4 == 0 else { return task.cancel() }
      Task.detached {
        while task.countOfBytesReceived == 0, task.state == .running { await Task.yield() }
        task.cancel()
      }
    }

    private func ended(_ number: Int, _ bytes: Int, _ error: (any Error)?) {
      ends.append((number, (error as? URLError)?.errorCode, bytes))
      startNext()
    }
  }

  @Test func `LC-01: 500 tasks, 16 at a time, half of them cancelled: each ends once, and nothing is left`()
    async throws
  {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    let address = server.url("/seeded")
    // In a process of its own, so that descriptors and threads are its own.
    await #expect(processExitsWith: .success) { [address = address as String] in
      let url = try #require(URL(string: address))
      try await Self.run(url)
      let before = (Self.count("fd"), Self.count("task"))
      try await Self.run(url)
      // Threads of the system's pools go some seconds after their last work.
      try await eventually { Self.count("fd") <= before.0 && Self.count("task") <= before.1 }
    }
    // The sessions' connections were closed with them: the server saw every one end.
    #expect(try await onThread { server.log.waitUntilClosed(within: .seconds(30)) })
  }

  /// One load of 500 tasks in a session of its own.
  private static func run(_ url: URL) async throws {
    let directory = try TestDirectory()
    let recorder = Recorder()
    let session = URLSession(.default, delegate: recorder, queue: nil, directory: directory.url)
    let load = Load(session, url)
    for _ in 0..<16 { load.startNext() }
    let ends = try await load.ends.wait(within: .seconds(60)) { $0.count >= Load.count }
    session.finishTasksAndInvalidate()
    try await recorder.log.wait { $0.isInvalid }
    #expect(Set(ends.map(\.number)).count == Load.count)
    #expect(load.ends.all.count == Load.count)
    #expect(ends.allSatisfy { $0.code == -999 && $0.bytes == 0 || $0.code == nil && $0.bytes == 300_000 })
    #expect(ends.allSatisfy { $0.number % 2 == 0 || $0.code == nil })
    #expect(directory.files == [])
  }

  /// How many descriptors ("fd") or threads ("task") this process has.
  private static func count(_ kind: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count) ?? 0
  }
}
