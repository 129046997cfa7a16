// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// DL-01 and DL-14: connections and processes that end anywhere.
@Suite(.exitTests, .serialized) struct ResumeStressTests {
  private static let size = PartRoutes.size

  @Test func `cut at random places and resumed until it is done, the file is the server's (DL-01)`() async throws {
    let directory = try TestDirectory()
    let route = Route("/file") { request in
      let script = Script.response(PartRoutes.answer(request))
      return Bool.random()
        ? script.cut(after: .random(in: 0...Self.size / 4), by: Bool.random() ? .fin : .rst) : script
    }
    let fixture = try Fixture([route], directory: directory.url)
    for _ in 0..<20 {
      let file = try await Self.download(try fixture.url("/file"), with: fixture.session)
      #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
      #expect(directory.files == [file.lastPathComponent])
      try FileManager.default.removeItem(at: file)
    }
  }

  /// Tries until the file is there, from where the last try stopped.
  private static func download(_ url: URL, with session: URLSession) async throws -> URL {
    var data: Data?
    while true {
      do {
        guard let data else { return try await session.download(from: url).0 }
        return try await session.download(resumeFrom: data).0
      } catch let error as URLError {
        try #require(error.code == .networkConnectionLost)
        // A download that failed before the response has nothing new to offer.
        data = error.downloadTaskResumeData ?? data
      }
    }
  }

  /// In a folder: the downloads' files, the last resume data and the finished file.
  private struct Place {
    let folder: URL
    var data: URL { folder.appending(path: "data.plist") }
    var result: URL { folder.appending(path: "result") }

    /// One process's part of the work: it goes on from the data there, stores new data every so often, and may be killed
    /// at any byte.
    func work(_ url: URL, dyingAfter limit: Int64?) async throws {
      let result = result
      let reactions = Reactions(
        written: { task in if let limit, task.countOfBytesReceived >= limit { kill(getpid(), SIGKILL) } },
        file: { _, file in try? FileManager.default.moveItem(at: file, to: result) })
      let recorder = Recorder(reactions)
      let session = URLSession(.default, delegate: recorder, queue: nil, directory: folder)
      let known = try? Data(contentsOf: data)
      (known.map { session.downloadTask(withResumeData: $0) } ?? session.downloadTask(with: url)).resume()
      session.finishTasksAndInvalidate()
      try await recorder.log.wait(within: .seconds(TestMachine.patience)) { $0.ends == 1 }
    }

    /// Begins the download, stops it, and stores what is needed to go on.
    func begin(_ url: URL) async throws {
      let written = EventLog<Data?>()
      let recorder = Recorder(Reactions(written: { task in task.cancel { written.append($0) } }))
      let session = URLSession(.default, delegate: recorder, queue: nil, directory: folder)
      session.downloadTask(with: url).resume()
      session.finishTasksAndInvalidate()
      let data = try await written.wait(within: .seconds(TestMachine.patience)) { !$0.isEmpty }.first ?? nil
      try (data ?? Data()).write(to: self.data, options: .atomic)
    }
  }

  @Test func `a download that a process began and died with is finished by another (DL-14)`() async throws {
    let server = LessonServer(routes: [PartRoutes.held("/file")])
    try server.start()
    let directory = try TestDirectory()
    let (address, path) = (server.url("/file"), directory.url.path)
    await #expect(processExitsWith: .signal(SIGKILL)) { [address = address as String, path = path as String] in
      try await Place(folder: URL(fileURLWithPath: path)).begin(try #require(URL(string: address)))
      kill(getpid(), SIGKILL)
    }
    let place = Place(folder: directory.url)
    #expect(!FileManager.default.fileExists(atPath: place.result.path))
    await #expect(processExitsWith: .success) { [address = address as String, path = path as String] in
      try await Place(folder: URL(fileURLWithPath: path)).work(try #require(URL(string: address)), dyingAfter: nil)
    }
    #expect(BodySum.of(try Data(contentsOf: place.result)) == PartRoutes.checksum)
    #expect(server.log.snapshot().requests(for: "/file").map { $0["Range"] != nil } == [false, true])
  }

  @Test func `killed at 100 random bytes and resumed, the destination never holds a part (DL-14)`() async throws {
    let server = LessonServer(routes: [PartRoutes.held("/file")])
    try server.start()
    let address = server.url("/file")
    var kills = 0
    while kills < (TestMachine.isSanitized ? 10 : 100) {
      let directory = try TestDirectory()
      let (path, place) = (directory.url.path, Place(folder: directory.url))
      try await place.begin(try #require(URL(string: address)))
      for _ in 0..<3 where !FileManager.default.fileExists(atPath: place.result.path) {
        kills += 1
        let limit = Int64.random(in: Self.size / 3...Self.size)
        // It dies on the way, or, when the limit lies behind the last piece, when it is done.
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [address = address as String, path = path as String, limit = limit as Int64] in
          try await Place(folder: URL(fileURLWithPath: path)).work(
            try #require(URL(string: address)), dyingAfter: limit)
          kill(getpid(), SIGKILL)
        }
        Self.expectWholeOrNothing(at: place.result)
      }
      if !FileManager.default.fileExists(atPath: place.result.path) {
        try await place.work(try #require(URL(string: address)), dyingAfter: nil)
      }
      #expect(BodySum.of(try Data(contentsOf: place.result)) == PartRoutes.checksum)
    }
  }

  private static func expectWholeOrNothing(at file: URL) {
    guard let data = try? Data(contentsOf: file) else { return }
    #expect(BodySum.of(data) == PartRoutes.checksum)
  }
}
