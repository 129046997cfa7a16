// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

@Suite(.exitTests, .serialized) struct StressTests {
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 4, range: 0..<300_000))))
  ]

  /// Keeps 64 tasks under way until as many as wanted have ended; every other one is cancelled at some moment.
  private final class Load: Sendable {
    let ends = EventLog<(number: Int, code: Int?, bytes: Int)>()
    private let session: URLSession
    private let url: URL
    private let started = Locked(0)
    private let count: Int
    static let width = 64

    init(_ session: URLSession, _ url: URL, count: Int) {
      (self.session, self.url, self.count) = (session, url, count)
    }

    func startNext() {
      let number = started.withLock { started in
        started += 1
        return started
      }
      guard number <= count else { return }
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

  @Test func `10,000 tasks, 64 at a time, half of them cancelled: each ends once, and nothing is left (LC-01, LC-06)`()
    async throws
  {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    let address = server.url("/seeded")
    // In a process of its own, so that descriptors, threads and memory are its own.
    await #expect(processExitsWith: .success) { [address = address as String] in
      let url = try #require(URL(string: address))
      let count = TestMachine.isSanitized ? 500 : 10_000
      try await Self.run(url, count: count / 4)
      let before = (ProcessUsage.descriptors, ProcessUsage.threads, ProcessUsage.resident)
      try await Self.run(url, count: count)
      // Threads of the system's pools go some seconds after their last work.
      try await eventually { ProcessUsage.descriptors <= before.0 && ProcessUsage.threads <= before.1 }
      // A task that was left would be some kilobytes, 10,000 of them more than this; a heap breathes by a few MiB.
      if !TestMachine.isSanitized { #expect(ProcessUsage.resident - before.2 < 16 << 20) }
    }
    // The sessions' connections were closed with them: the server saw every one end.
    #expect(try await onThread { server.log.waitUntilClosed(within: .seconds(TestMachine.patience)) })
  }

  /// One load in a session of its own.
  private static func run(_ url: URL, count: Int) async throws {
    let directory = try TestDirectory()
    let recorder = Recorder()
    let session = URLSession(.default, delegate: recorder, queue: nil, directory: directory.url)
    let load = Load(session, url, count: count)
    for _ in 0..<Load.width { load.startNext() }
    let ends = try await load.ends.wait(within: .seconds(4 * TestMachine.patience)) { $0.count >= count }
    session.finishTasksAndInvalidate()
    try await recorder.log.wait { $0.isInvalid }
    #expect(Set(ends.map(\.number)).count == count)
    #expect(load.ends.all.count == count)
    #expect(ends.allSatisfy { $0.code == -999 && $0.bytes == 0 || $0.code == nil && $0.bytes == 300_000 })
    #expect(ends.allSatisfy { $0.number % 2 == 0 || $0.code == nil })
    #expect(directory.files == [])
  }
}
