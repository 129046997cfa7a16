// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport

@testable import URLLoading

/// A client that keeps what it was told and can be waited for.
final class LoadProbe: LoadClient, LoadDecisions, LoadProgress {
  struct Record {
    var responses: [Int] = []
    var redirects: [String] = []
    var written: [Int64] = []
    var sent: Int64 = 0
    var announcements = 0
    var ends: [LoadEnd] = []
    var afterEnd = 0
  }

  let record = Locked(Record())
  let wantsExchanges: Bool
  private let answer: @Sendable (Load, LoadQuestion?) -> Void
  private let redirectAnswer: @Sendable (Load, URLRequest, LoadQuestion) -> Void
  private let whenWritten: @Sendable (Load, Int64) -> Void
  private let ended = DispatchSemaphore(value: 0)

  init(
    answer: @escaping @Sendable (Load, LoadQuestion?) -> Void = { $0.accept(.collect, answering: $1) },
    redirectAnswer: @escaping @Sendable (Load, URLRequest, LoadQuestion) -> Void = { $0.follow($1, answering: $2) },
    whenWritten: @escaping @Sendable (Load, Int64) -> Void = { _, _ in }, wantsExchanges: Bool = false
  ) {
    self.wantsExchanges = wantsExchanges
    self.answer = answer
    self.redirectAnswer = redirectAnswer
    self.whenWritten = whenWritten
  }

  private func note(_ change: (inout Record) -> Void) {
    record.withLock { record in
      record.afterEnd += record.ends.isEmpty ? 0 : 1
      change(&record)
    }
  }

  func load(_ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest, asking question: LoadQuestion) {
    note { $0.redirects.append(request.url?.path ?? "") }
    redirectAnswer(load, request, question)
  }

  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    note { $0.responses.append((response as? HTTPURLResponse)?.statusCode ?? 0) }
    answer(load, question)
  }

  func loadHasBody(_ load: Load) {
    note { $0.announcements += 1 }
  }

  func load(_ load: Load, didWrite total: Int64, expected: Int64) {
    note { $0.written.append(total) }
    whenWritten(load, total)
  }

  func load(_ load: Load, didSend total: Int64, expected: Int64) {
    note { $0.sent = total }
  }

  func load(_ load: Load, didEnd end: LoadEnd) {
    note { $0.ends.append(end) }
    ended.signal()
  }

  /// The end, or nil when it did not come.
  func waitForEnd() -> LoadEnd? {
    guard ended.waitPatiently() else { return nil }
    return record.withLock { $0.ends.first }
  }
}

extension Load {
  /// Answers where there is a question.
  func accept(_ sink: BodySink, answering question: LoadQuestion?) {
    if let question { accept(sink, answering: question) }
  }
}
