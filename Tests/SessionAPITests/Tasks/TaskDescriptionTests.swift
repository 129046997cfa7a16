// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// What a task prints, as Apple's do in errors and logs.
@Suite struct TaskDescriptionTests {
  private static func name(_ task: URLSessionTask, _ kind: String) throws -> String {
    let text = task.description
    #expect("\(task)" == text && task.debugDescription == text, "it is the same each time")
    let parts = try #require(text.wholeMatch(of: /([A-Za-z]+) <([0-9A-F-]{36})>\.<([0-9]+)>/), "\(text)")
    #expect(parts.output.1 == kind && Int(parts.output.3) == task.taskIdentifier)
    return String(parts.output.2)
  }

  @Test func `a task prints its kind, a name of its own and its number (B.5)`() throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "http://user:secret@127.0.0.1/"))
    let socket = try #require(URL(string: "ws://127.0.0.1/"))
    let tasks: [(URLSessionTask, String)] = [
      (session.dataTask(with: url), "LocalDataTask"),
      (session.dataTask(with: url), "LocalDataTask"),
      (session.uploadTask(with: URLRequest(url: url), from: Data()), "LocalUploadTask"),
      (session.downloadTask(with: url), "LocalDownloadTask"),
      (session.webSocketTask(with: socket), "LocalWebSocketTask"),
    ]
    let names = try tasks.map { try Self.name($0.0, $0.1) }
    #expect(Set(names).count == tasks.count && Set(names.compactMap(UUID.init)).count == tasks.count)
    #expect(session.streamTask(withHostName: "127.0.0.1", port: 1).description.hasPrefix("<URLSessionStreamTask: 0x"))
  }

  @Test func `a download that was a data task keeps its name (B.5, B.9)`() async throws {
    let directory = try TestDirectory()
    let became = Locked<URLSessionDownloadTask?>(nil)
    var reactions = Reactions(response: { _, answer in answer(.becomeDownload) })
    reactions.becameDownload = { download in became.withLock { $0 = download } }
    let fixture = try Fixture([PartRoutes.held("/file")], reactions, directory: directory.url)
    let task = fixture.session.dataTask(with: try fixture.url("/file"))
    task.resume()
    fixture.server.open(gate: "rest")
    _ = try await fixture.events()
    let download = try #require(became.withLock { $0 })
    #expect(try Self.name(task, "LocalDataTask") == Self.name(download, "LocalDownloadTask"))
  }
}
