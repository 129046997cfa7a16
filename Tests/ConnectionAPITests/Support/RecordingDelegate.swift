// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import Locking
import Timeline

/// A delegate that keeps what it was told, with a letter for each call: w willSend, n needNewBodyStream, s didSendBodyData,
/// r response, d data, f finished, e error.
final class RecordingDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  // Sendable: constants and locked state.

  /// One call as the test's hook sees it.
  struct Call {
    var letter: Character
    var connection: NSURLConnection
    var redirect: HTTPURLResponse?
  }

  /// What one call of didSendBodyData said.
  struct Sent: Equatable {
    var bytes: Int
    var total: Int
    var expected: Int
  }

  struct Record {
    var calls = ""
    var requests: [URLRequest] = []
    var redirects: [HTTPURLResponse?] = []
    var responses: [URLResponse] = []
    var sent: [Sent] = []
    var body = Data()
    var largestPiece = 0
    var error: (any Error)?
    var threads: Set<Int> = []
    var modes: Set<String> = []
    var queues: Set<String> = []
    var isInside = false
    var overlaps = 0
  }

  let record = Locked(Record())
  let ended = DispatchSemaphore(value: 0)
  private let keepsBody: Bool
  private let hook: @Sendable (Call) -> Void
  private let answer: @Sendable (URLRequest, HTTPURLResponse?) -> URLRequest?
  private let makeStream: @Sendable () -> InputStream?

  init(
    keepsBody: Bool = true, hook: @escaping @Sendable (Call) -> Void = { _ in },
    answer: @escaping @Sendable (URLRequest, HTTPURLResponse?) -> URLRequest? = { request, _ in request },
    makeStream: @escaping @Sendable () -> InputStream? = { nil }
  ) {
    self.keepsBody = keepsBody
    self.answer = answer
    self.hook = hook
    self.makeStream = makeStream
  }

  /// The letters so far.
  var calls: String { record.withLock { $0.calls } }
  /// True if an end was reported.
  var isOver: Bool { calls.hasSuffix("f") || calls.hasSuffix("e") }
  /// The letters with pieces of data, or of the request's body, that follow one another as one.
  var course: String {
    calls.reduce(into: "") { course, letter in
      if !"ds".contains(letter) || course.last != letter { course.append(letter) }
    }
  }

  private func note(_ letter: Character, _ connection: NSURLConnection, _ change: (inout Record) -> Void) {
    let thread = ThreadNumber.current
    let mode = RunLoop.current.currentMode?.rawValue
    let queue = OperationQueue.current?.name
    record.withLock { record in
      if record.isInside { record.overlaps += 1 }
      record.isInside = true
      record.calls.append(letter)
      record.threads.insert(thread)
      if let mode { record.modes.insert(mode) }
      if let queue { record.queues.insert(queue) }
      change(&record)
    }
    hook(Call(letter: letter, connection: connection, redirect: record.withLock { $0.redirects.last ?? nil }))
    record.withLock { $0.isInside = false }
  }

  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest? {
    let redirect = response as? HTTPURLResponse
    note("w", connection) { record in
      record.requests.append(request)
      record.redirects.append(redirect)
    }
    return answer(request, redirect)
  }

  func connection(_ connection: NSURLConnection, needNewBodyStream request: URLRequest) -> InputStream? {
    note("n", connection) { _ in }
    return makeStream()
  }

  func connection(
    _ connection: NSURLConnection, didSendBodyData bytesWritten: Int, totalBytesWritten: Int,
    totalBytesExpectedToWrite: Int
  ) {
    note("s", connection) {
      $0.sent.append(Sent(bytes: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite))
    }
  }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    note("r", connection) { $0.responses.append(response) }
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    note("d", connection) { record in
      if keepsBody { record.body.append(data) }
      record.largestPiece = max(record.largestPiece, data.count)
    }
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    note("f", connection) { _ in }
    ended.signal()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    note("e", connection) { $0.error = error }
    ended.signal()
  }
}
