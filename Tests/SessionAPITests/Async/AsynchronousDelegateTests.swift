// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// B.9: the methods that have an answer, in their asynchronous spelling, which code for Apple's systems uses as well.
@Suite(.exitTests) struct AsynchronousDelegateTests {
  /// Has every asynchronous method, and suspends in each before it answers.
  private final class Asynchronous: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    let calls = EventLog<String>()
    let disposition: URLSession.ResponseDisposition
    let follows: Bool

    init(_ disposition: URLSession.ResponseDisposition = .allow, follows: Bool = true) {
      (self.disposition, self.follows) = (disposition, follows)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest
    ) async -> URLRequest? {
      await Task.yield()
      calls.append("redirect")
      return follows ? request : nil
    }

    func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
      await Task.yield()
      calls.append("stream")
      return InputStream(data: Data("body".utf8))
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
      await Task.yield()
      calls.append("response")
      return disposition
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) async -> CachedURLResponse? {
      await Task.yield()
      calls.append("cache")
      return nil
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
      calls.append("file")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      calls.append("end \((error as? URLError)?.errorCode ?? 0)")
    }
  }

  private static let routes = [
    Route("/moved", script: .response(Response(302, fields: [HeaderField("Location", "/x")]))),
    Route(
      "/x", script: .response(Response(fields: [HeaderField("Cache-Control", "max-age=60")], body: .bytes([120])))),
    Route("/upload", script: .response(.text("got it", 201))),
  ]

  /// Runs a task to its end, and answers what its delegate was asked.
  private static func run(
    _ delegate: Asynchronous, own: (any URLSessionTaskDelegate)? = nil,
    _ configuration: URLSessionConfiguration = .ephemeral, _ make: (URLSession, LessonServer) throws -> URLSessionTask
  ) async throws -> (calls: [String], task: URLSessionTask) {
    let server = LessonServer(routes: routes)
    try server.start()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let task = try make(session, server)
    task.delegate = own
    task.resume()
    session.finishTasksAndInvalidate()
    let calls = try await delegate.calls.wait { $0.last?.hasPrefix("end") == true }
    server.stop()
    return (calls, task)
  }

  private static func get(_ path: String, _ session: URLSession, _ server: LessonServer) throws -> URLSessionTask {
    session.dataTask(with: try #require(URL(string: server.url(path))))
  }

  @Test func `redirect, response and cache are asked about, and their answers count (B.9)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    let (calls, task) = try await Self.run(Asynchronous(), configuration) { try Self.get("/moved", $0, $1) }
    #expect(calls == ["redirect", "response", "cache", "end 0"])
    let request = try #require(task.currentRequest)
    #expect(configuration.urlCache?.cachedResponse(for: request) == nil)
  }

  @Test func `nil for a redirect makes it the response (B.9)`() async throws {
    let (calls, task) = try await Self.run(Asynchronous(follows: false)) { try Self.get("/moved", $0, $1) }
    #expect(calls == ["redirect", "response", "end 0"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 302)
  }

  @Test(
    arguments: [
      (URLSession.ResponseDisposition.cancel, ["response", "end -999"]),
      (.becomeDownload, ["response", "file", "end 0"]),
    ])
  func `every disposition can be returned (B.9)`(
    disposition: URLSession.ResponseDisposition, expected: [String]
  ) async throws {
    #expect(try await Self.run(Asynchronous(disposition)) { try Self.get("/x", $0, $1) }.calls == expected)
  }

  @Test func `a stream is returned (B.6, B.9)`() async throws {
    let (calls, task) = try await Self.run(Asynchronous()) { session, server in
      var request = URLRequest(url: try #require(URL(string: server.url("/upload"))))
      request.httpMethod = "POST"
      return session.uploadTask(withStreamedRequest: request)
    }
    #expect(calls == ["stream", "response", "end 0"])
    #expect(task.countOfBytesSent == 4)
  }

  private final class Nothing: NSObject, URLSessionTaskDelegate {}

  /// Answers by itself, but asks another one first, which lacks the method.
  private final class Asking: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest
    ) async -> URLRequest? {
      _ = await Nothing().urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request)
      return nil
    }
  }

  @Test(arguments: 1...2)
  func `what a task's own delegate has in neither spelling falls to the session's (B.9)`(time: Int) async throws {
    let calls = try await Self.run(Asynchronous(), own: Nothing()) { try Self.get("/moved", $0, $1) }.calls
    #expect(calls == ["redirect", "response", "cache", "end 0"])
  }

  /// A program may block all of Swift's threads, as by waiting for a semaphore in each. Nothing that has no asynchronous
  /// method may wait for one of them. In a process of its own, whose threads those are.
  @Test func `a delegate without asynchronous methods needs none of Swift's threads (B.9)`() async throws {
    await #expect(processExitsWith: .success) {
      let server = LessonServer(routes: AsynchronousDelegateTests.routes)
      let secure = LessonServer(tls: TLSSettings(leaf: .selfSigned, authority: try CertificateAuthority()))
      try server.start()
      try secure.start()
      let session = URLSession(configuration: .ephemeral, delegate: Nothing(), delegateQueue: nil)
      let urls = try [server.url("/moved"), secure.url("/ok")].map { try #require(URL(string: $0)) }
      let (release, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let blocked = ProcessInfo.processInfo.activeProcessorCount + 2
      let codes = Locked<[Int]>([])
      Thread.detachNewThread {
        for _ in 0..<blocked { Task.detached { await Self.block(until: release) } }
        for url in urls {
          session.dataTask(with: url) { _, _, error in
            codes.withLock { $0.append((error as? URLError)?.errorCode ?? 0) }
            ended.signal()
          }.resume()
        }
        for _ in urls where !ended.waitPatiently() { break }
        for _ in 0..<blocked { release.signal() }
      }
      try await eventually { codes.withLock { $0.count } == 2 }
      #expect(Set(codes.withLock { $0 }) == [0, -1202])
      session.finishTasksAndInvalidate()
      try await eventually { session.delegate == nil }
    }
  }

  /// Blocks its thread on purpose.
  private static func block(until semaphore: DispatchSemaphore) async {
    func wait() { semaphore.wait() }
    wait()
  }

  @Test func `a method that asks another delegate, which lacks it, answers all the same (B.9)`() async throws {
    let (calls, task) = try await Self.run(Asynchronous(), own: Asking()) { try Self.get("/moved", $0, $1) }
    #expect(calls == ["response", "end 0"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 302)
  }
}
