// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import Testing

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
    let directory = try TestDirectory()
    let fixture = try Fixture(Self.routes, directory: directory.url)
    let load = Load(fixture.session, try fixture.url("/seeded"))
    for _ in 0..<16 { load.startNext() }
    let ends = try await load.ends.wait(within: .seconds(60)) { $0.count >= Load.count }
    fixture.session.finishTasksAndInvalidate()
    try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(Set(ends.map(\.number)).count == Load.count)
    #expect(load.ends.all.count == Load.count)
    #expect(ends.allSatisfy { $0.code == -999 && $0.bytes == 0 || $0.code == nil && $0.bytes == 300_000 })
    #expect(ends.allSatisfy { $0.number % 2 == 0 || $0.code == nil })
    #expect(directory.files == [])
    // The session's connections are closed with it: the server sees every one end.
    #expect(try await onThread { fixture.server.log.waitUntilClosed(within: .seconds(30)) })
  }
}
