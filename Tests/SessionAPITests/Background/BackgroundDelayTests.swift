// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// BG-30 and on: tasks that begin later than they are resumed, and what may not be made at all.
@Suite(.exitTests) struct BackgroundDelayTests {
  typealias Answer = (URLSession.DelayedRequestDisposition, URLRequest?)

  /// A delegate that answers whether a task shall begin.
  private final class Delegate: NSObject, URLSessionDownloadDelegate {
    let log = EventLog<String>()
    let answer: @Sendable (URLRequest) -> Answer

    init(_ answer: @escaping @Sendable (URLRequest) -> Answer) { self.answer = answer }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
      log.append("begins \(request.url?.path ?? "")")
      let (disposition, request) = answer(request)
      completionHandler(disposition, request)
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { log.append("file \(downloadTask.countOfBytesReceived)") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append("complete \((error as? URLError)?.errorCode ?? 0)")
    }
  }

  private static func events(
    _ answer: @escaping @Sendable (URLRequest) -> Answer
  ) async throws -> [String] {
    let server = LessonServer(routes: Route.standard)
    try server.start()
    let delegate = Delegate(answer)
    let session = URLSession(
      configuration: .background(withIdentifier: UUID().uuidString), delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.downloadTask(with: try #require(URL(string: server.url("/ok"))))
    task.earliestBeginDate = Date(timeIntervalSinceNow: 0.05)
    task.resume()
    return try await delegate.log.wait { $0.contains { $0.hasPrefix("complete") } }
  }

  @Test func `a task with an earliest date begins when the delegate says so (BG-30)`() async throws {
    #expect(try await Self.events { _ in (.continueLoading, nil) } == ["begins /ok", "file 2", "complete 0"])
  }

  @Test func `a request of the delegate's that is too long ends the task (BG-30)`() async throws {
    let events = try await Self.events { request in
      var other = request
      other.setValue(String(repeating: "a", count: 9 << 20), forHTTPHeaderField: "X-Long")
      return (.useNewRequest, other)
    }
    #expect(events == ["begins /ok", "complete -1103"])
  }

  @Test func `the delegate may give another request (BG-30)`() async throws {
    let events = try await Self.events { request in
      var other = request
      other.url = request.url?.deletingLastPathComponent().appending(path: "1k")
      return (.useNewRequest, other)
    }
    #expect(events == ["begins /ok", "file 1024", "complete 0"])
  }

  @Test func `the delegate may cancel it (BG-30)`() async throws {
    #expect(try await Self.events { _ in (.cancel, nil) } == ["begins /ok", "complete -999"])
  }

  private static func text(of result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test func `a data task in a background session traps and says why (BG-31)`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = URLSession(configuration: .background(withIdentifier: "name")).dataTask(with: URL(filePath: "/"))
    }
    #expect(try Self.text(of: result).contains("Data tasks are not supported in background sessions."))
  }

  @Test func `a handler in a background session traps with Apple's words (BG-31)`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = URLSession(configuration: .background(withIdentifier: "name")).downloadTask(with: URL(filePath: "/")) {
        _, _, _ in
      }
    }
    let words = "Completion handler blocks are not supported in background sessions. Use a delegate instead."
    #expect(try Self.text(of: result).contains(words))
  }

  @Test func `an upload of data in a background session traps with Apple's words (BG-31)`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let session = URLSession(configuration: .background(withIdentifier: "name"))
      _ = session.uploadTask(with: URLRequest(url: URL(filePath: "/")), from: Data())
    }
    #expect(try Self.text(of: result).contains("Upload tasks from NSData are not supported in background sessions."))
  }

  @Test func `streamed uploads, WebSockets, streams and asynchronous forms trap with Apple's words (BG-31)`()
    async throws
  {
    let upload = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let session = URLSession(configuration: .background(withIdentifier: "name"))
      _ = session.uploadTask(withStreamedRequest: URLRequest(url: URL(filePath: "/")))
    }
    #expect(try Self.text(of: upload).contains("Upload tasks from streams are not supported in background sessions."))
    let words = "WebSocket and stream tasks are not supported in background sessions."
    let socket = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let session = URLSession(configuration: .background(withIdentifier: "name"))
      _ = session.webSocketTask(with: try #require(URL(string: "ws://127.0.0.1:1/")))
    }
    #expect(try Self.text(of: socket).contains(words))
    let stream = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = URLSession(configuration: .background(withIdentifier: "name")).streamTask(withHostName: "127.0.0.1", port: 1)
    }
    #expect(try Self.text(of: stream).contains(words))
    let form = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let session = URLSession(configuration: .background(withIdentifier: "name"))
      _ = try await session.data(from: try #require(URL(string: "http://127.0.0.1:1/")))
    }
    let blocks = "Completion handler blocks are not supported in background sessions. Use a delegate instead."
    #expect(try Self.text(of: form).contains(blocks))
  }

  @Test func `a program without a background session starts nothing and leaves nothing (BG-32)`() async throws {
    await #expect(processExitsWith: .success) {
      let other = try TestDirectory()
      setenv("XDG_RUNTIME_DIR", other.url.path, 1)
      let fixture = try Fixture(Route.standard)
      fixture.session.downloadTask(with: try fixture.url("/ok")).resume()
      _ = try await fixture.events()
      _ = URLSession(configuration: .background(withIdentifier: "never used")).configuration
      let home = try #require(ProcessInfo.processInfo.environment["XDG_STATE_HOME"])
      // Neither journals nor a socket; and without its lock there is no agent.
      for folder in [home, other.url.path] {
        #expect(!FileManager.default.fileExists(atPath: folder + "/url-transfer-agent"))
      }
    }
  }
}
