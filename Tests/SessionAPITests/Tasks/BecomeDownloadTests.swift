// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.9: a data task that becomes a download once its response is there.
@Suite struct BecomeDownloadTests {
  private func fixture(
    _ directory: TestDirectory, _ change: (inout Reactions) -> Void = { _ in }
  ) throws -> Fixture {
    var reactions = Reactions(response: { _, answer in answer(.becomeDownload) })
    change(&reactions)
    return try Fixture([PartRoutes.held("/file")], reactions, directory: directory.url)
  }

  @Test func `the download task takes over, with a number of its own, and the data task says no more (B.9)`()
    async throws
  {
    let (directory, sum) = (try TestDirectory(), BodySum())
    let became = Locked<URLSessionDownloadTask?>(nil)
    let fixture = try fixture(directory) { reactions in
      reactions.becameDownload = { download in became.withLock { $0 = download } }
      reactions.file = { sum.add((try? Data(contentsOf: $1)) ?? Data()) }
    }
    let task = fixture.session.dataTask(with: try fixture.url("/file"))
    task.resume()
    fixture.server.open(gate: "rest")
    let events = try await fixture.events()
    #expect(events.order == ["created", "response", "download", "written", "file", "complete", "invalid"])
    #expect(events.contains(.file(Int(PartRoutes.size))))
    #expect(sum.value == PartRoutes.checksum)
    let download = try #require(became.withLock { $0 })
    #expect(download.taskIdentifier == task.taskIdentifier + 1)
    #expect(download.originalRequest == task.originalRequest)
    #expect((download.response as? HTTPURLResponse)?.statusCode == 200)
    #expect((task.state, task.error as? URLError) == (.completed, nil))
    #expect((download.state, download.countOfBytesReceived) == (.completed, PartRoutes.size))
    #expect(directory.files == [])
  }

  @Test func `a download that was a data task can be resumed (B.7, B.9)`() async throws {
    let (directory, data) = (try TestDirectory(), EventLog<Data?>())
    let fixture = try fixture(directory) { reactions in
      reactions.written = { task in task.cancel { data.append($0) } }
    }
    fixture.session.dataTask(with: try fixture.url("/file")).resume()
    try await fixture.recorder.log.wait { $0.ends == 1 }
    let (file, _) = try await fixture.session.download(resumeFrom: try #require(data.all.first ?? nil))
    #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
  }

  @Test func `a task that was suspended and resumed meanwhile, or cancelled, ends once (B.9)`() async throws {
    for cancels in [false, true] {
      let directory = try TestDirectory()
      let fixture = try fixture(directory) { reactions in
        reactions.response = { task, answer in
          task.suspend()
          answer(.becomeDownload)
          if cancels { task.cancel() }
        }
        reactions.becameDownload = { $0.resume() }
      }
      fixture.server.open(gate: "rest")
      fixture.session.dataTask(with: try fixture.url("/file")).resume()
      let events = try await fixture.events()
      #expect(events.ends == 1)
      #expect(events.contains(.complete(cancels ? -999 : nil)))
      #expect(events.contains { $0.kind == "download" } == !cancels)
      #expect(directory.files == [])
    }
  }

  @Test func `a session that finishes its tasks waits for the download (B.9)`() async throws {
    let directory = try TestDirectory()
    let fixture = try fixture(directory)
    fixture.session.dataTask(with: try fixture.url("/file")).resume()
    fixture.session.finishTasksAndInvalidate()
    try await fixture.recorder.log.wait { $0.contains { $0.kind == "download" } }
    fixture.server.open(gate: "rest")
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(events.contains(.file(Int(PartRoutes.size))))
    #expect(events.ends == 1)
  }
}
