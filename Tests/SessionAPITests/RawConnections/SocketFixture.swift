// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import Testing

@testable import SessionAPI

/// An event that a delegate of WebSockets was told.
enum SocketEvent: Equatable, Sendable {
  case created
  case redirect(Int)
  case challenge(String)
  case open(String?)
  case closed(URLSessionWebSocketTask.CloseCode, String?)
  case message(String)
  case metrics(transactions: Int)
  case complete(Int?)
  case invalid
}

/// A delegate that notes each call.
final class SocketRecorder: NSObject, URLSessionWebSocketDelegate {
  let log = EventLog<SocketEvent>()
  let credential: URLCredential?

  init(credential: URLCredential? = nil) {
    self.credential = credential
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    log.append(.invalid)
  }

  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    log.append(.created)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    log.append(.redirect(response.statusCode))
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    log.append(.challenge(challenge.protectionSpace.authenticationMethod))
    if let credential, challenge.previousFailureCount == 0 {
      completionHandler(.useCredential, credential)
    } else {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
  ) {
    log.append(.open(`protocol`))
  }

  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    log.append(.closed(closeCode, reason.map { String(decoding: $0, as: UTF8.self) }))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    log.append(.metrics(transactions: metrics.transactionMetrics.count))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    log.append(.complete(error.map { ($0 as NSError).code }))
  }
}

/// A lesson server and a session whose delegate hears of WebSockets, taken down together.
final class SocketFixture: Sendable {
  let server: LessonServer
  let recorder: SocketRecorder
  let session: URLSession

  init(
    _ routes: [Route] = Route.standard, tls: TLSSettings? = nil, configuration: URLSessionConfiguration = .ephemeral,
    credential: URLCredential? = nil
  ) throws {
    server = LessonServer(routes: routes, tls: tls)
    try server.start()
    recorder = SocketRecorder(credential: credential)
    session = URLSession(configuration, delegate: recorder, queue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// The address of a path as a WebSocket's.
  func url(_ path: String = "/socket", host: String = "127.0.0.1") throws -> URL {
    try #require(URL(string: "ws" + server.url(path, host: host).dropFirst(4)))
  }

  /// A running task for a path.
  func task(_ path: String = "/socket", protocols: [String] = []) throws -> URLSessionWebSocketTask {
    let task = session.webSocketTask(with: try url(path), protocols: protocols)
    task.resume()
    return task
  }

  /// Waits for the task's end; returns the events.
  func events() async throws -> [SocketEvent] {
    try await recorder.log.wait { events in events.contains { if case .complete = $0 { true } else { false } } }
  }
}

extension URLSessionWebSocketTask {
  /// The next message as text, or the code of the error: negative where it is a `URLError`, the system's else.
  func next() async -> String {
    do {
      switch try await receive() {
      case .string(let text): return text
      case .data(let bytes): return "\(bytes.count) bytes"
      }
    } catch {
      return "\((error as NSError).code)"
    }
  }
}
