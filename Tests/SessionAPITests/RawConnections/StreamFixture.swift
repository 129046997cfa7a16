// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import SessionAPI

/// An event that a delegate of stream tasks was told.
enum StreamEvent: Equatable, Sendable {
  case created
  case challenge
  case response(Int)
  case stream
  case data
  case readClosed
  case writeClosed
  case captured
  case metrics
  case complete(Int?)
}

/// The pair of streams that a delegate of a captured task got.
struct CapturedPair: @unchecked Sendable {
  // Sendable: each stream is used by one thread at a time.
  let input: InputStream
  let output: OutputStream
}

/// Answers a challenge.
typealias StreamAnswer =
  @Sendable (
    URLAuthenticationChallenge, @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) -> Void

/// A delegate that notes each call, and makes every data task a stream.
final class StreamRecorder: NSObject, URLSessionStreamDelegate, URLSessionDataDelegate {
  let log = EventLog<StreamEvent>()
  let pairs = EventLog<CapturedPair>()
  let metrics = EventLog<URLSessionTaskMetrics>()
  let became: @Sendable (URLSessionStreamTask) -> Void
  let answer: StreamAnswer

  init(became: @escaping @Sendable (URLSessionStreamTask) -> Void = { _ in }, answer: @escaping StreamAnswer) {
    (self.became, self.answer) = (became, answer)
  }

  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { log.append(.created) }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    log.append(.challenge)
    answer(challenge, completionHandler)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    log.append(.response((response as? HTTPURLResponse)?.statusCode ?? 0))
    completionHandler(.becomeStream)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask) {
    log.append(.stream)
    became(streamTask)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { log.append(.data) }
  func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) { log.append(.readClosed) }
  func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) { log.append(.writeClosed) }

  func urlSession(
    _ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream,
    outputStream: OutputStream
  ) {
    log.append(.captured)
    #expect(streamTask.state == .completed && streamTask.error == nil)
    pairs.append(CapturedPair(input: inputStream, output: outputStream))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    log.append(.metrics)
    self.metrics.append(metrics)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    log.append(.complete((error as? URLError)?.errorCode))
  }

  /// The events up to the completion.
  func events() async throws -> [StreamEvent] {
    try await log.wait { $0.contains { if case .complete = $0 { true } else { false } } }
  }
}

/// A lesson server and a session whose delegate hears of streams, taken down together.
final class StreamFixture: Sendable {
  let server: LessonServer
  let recorder: StreamRecorder
  let session: URLSession

  /// A server that performs `opening` on every connection, an echo unless told otherwise; nil makes it one for HTTP.
  init(
    opening: Script? = [.echo], routes: [Route] = Route.standard, tls: TLSSettings? = nil,
    configuration: URLSessionConfiguration = .ephemeral,
    became: @escaping @Sendable (URLSessionStreamTask) -> Void = { _ in },
    answer: @escaping StreamAnswer = { $1(.performDefaultHandling, nil) }
  ) throws {
    server = LessonServer(routes: routes, tls: tls, opening: opening)
    try server.start()
    recorder = StreamRecorder(became: became, answer: answer)
    session = URLSession(configuration, delegate: recorder, queue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// A running task for the server's port.
  func task(host: String = "127.0.0.1") -> URLSessionStreamTask {
    let task = session.streamTask(withHostName: host, port: Int(server.port))
    task.resume()
    return task
  }

  /// A data task that its delegate makes a stream.
  func dataTask(_ path: String) throws -> URLSessionDataTask {
    session.dataTask(with: try #require(URL(string: server.url(path))))
  }
}

extension URLSessionStreamTask {
  /// Reads and returns the answer as text: the bytes, a dot at the end of the stream; or the code of the error.
  func text(_ minimum: Int = 1, _ maximum: Int = 1 << 20, timeout: TimeInterval = 0) async -> String {
    do {
      let (data, atEOF) = try await readData(ofMinLength: minimum, maxLength: maximum, timeout: timeout)
      return Self.text(data, atEOF, nil)
    } catch {
      return Self.text(nil, false, error)
    }
  }

  /// A read that has begun when this returns, as an `async let` may not have, and what it is answered with.
  func reading(_ minimum: Int = 1, _ maximum: Int = 1 << 20) -> EventLog<String> {
    let answers = EventLog<String>()
    readData(ofMinLength: minimum, maxLength: maximum, timeout: 0) { data, atEOF, error in
      answers.append(Self.text(data, atEOF, error))
    }
    return answers
  }

  private static func text(_ data: Data?, _ atEOF: Bool, _ error: (any Error)?) -> String {
    if let error { return "\((error as? URLError)?.errorCode ?? 0)" }
    return String(decoding: data ?? Data(), as: UTF8.self) + (atEOF ? "." : "")
  }

  /// Writes and returns the answer: nil or the code of the error.
  func put(_ text: String, timeout: TimeInterval = 0) async -> Int? {
    do {
      try await write(Data(text.utf8), timeout: timeout)
      return nil
    } catch {
      return (error as? URLError)?.errorCode ?? 0
    }
  }

  /// Reads to the end.
  func rest() async throws -> Data {
    var all = Data()
    while true {
      let (data, atEOF) = try await readData(ofMinLength: 1, maxLength: 1 << 20, timeout: 0)
      all.append(data ?? Data())
      if atEOF { return all }
    }
  }
}
