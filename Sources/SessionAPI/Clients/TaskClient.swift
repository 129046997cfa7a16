// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// Listens to the load of one task: it notes what the load reports and posts to the task's mailbox, which brings the rest to
/// the session's `delegateQueue`.
///
/// Each kind of `Receiver` has a subclass, chosen when the task is made (`URLSessionTask.makeClient(for:)`). This class has
/// what all kinds share: redirects, request bodies, challenges, sent bytes and the end. The load calls it on the I/O thread.
class TaskClient: LoadClient, LoadDecisions, LoadProgress, @unchecked Sendable {
  // Sendable: the properties are constant; what changes is the task's state, behind its lock.

  let task: URLSessionTask

  init(_ task: URLSessionTask) {
    self.task = task
  }

  // MARK: What the kinds do differently, on the I/O thread

  /// The final response. Where the load has no sink yet it waits for one.
  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    task.shared.withLock { $0.response = response }
    task.updateProgress()
  }

  func loadHasBody(_ load: Load) {}

  func load(_ load: Load, didWrite total: Int64, expected: Int64) {}

  func load(_ load: Load, didResumeAt offset: Int64, expected: Int64) {
    task.shared.withLock { state in
      state.resumed = (offset, expected)
      state.written.begin(at: offset)
    }
  }

  var decidesStoring: Bool { false }

  func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion) {
    load.cache(response, answering: question)
  }

  /// Has the connection to itself; nil where the load has a request and a response.
  var rawConnection: (any RawConnectionClient)? { nil }

  /// The load has ended for this client, which brings the end to the delegate queue.
  func ended(_ end: LoadEnd, of load: Load) { conclude(end, of: load) }

  /// The request as a delegate knows it.
  func shown(_ request: URLRequest) -> URLRequest { request }

  // MARK: What the kinds do differently, on the delegate queue

  /// Delivers what is left of the body, before the task counts as completed.
  func deliverRest(_ end: LoadEnd, of load: Load) {}

  /// Delivers the completion: to the delegate, unless a kind has a handler or a reader.
  func deliverCompletion(_ end: LoadEnd, _ response: URLResponse?, _ error: (any Error)?) {
    if let delegate = task.delegates.task { return task.deliver(completion: error, to: delegate) }
    guard Timeline.isRecording, task.session.delegate != nil || task.delegate != nil else { return }
    Timeline.emit(.step(.endedUnheard(code: (error as? URLError)?.errorCode)), subject: task.subject)
  }
}

// MARK: - What all kinds share

extension TaskClient {
  func load(_ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest, asking question: LoadQuestion) {
    guard task.delegates.task != nil else { return load.follow(request, answering: question) }
    task.mailbox.post { [self] in
      guard let delegate = task.receiver(\.task) else { return load.follow(request, answering: question) }
      task.deliver(redirect, redirectingTo: shown(request), to: delegate) { load.follow($0, answering: question) }
    }
  }

  func load(_ load: Load, needsBodyFor request: URLRequest, asking question: LoadQuestion) {
    guard task.delegates.task != nil else { return load.provide(.none, answering: question) }
    task.mailbox.post { [task] in
      guard let delegate = task.receiver(\.task) else { return load.provide(.none, answering: question) }
      task.deliverBodyNeed(to: delegate) { load.provide($0.map { .stream($0) } ?? .none, answering: question) }
    }
  }

  func load(_ load: Load, needsBodyFor request: URLRequest, from offset: Int64, asking question: LoadQuestion) {
    guard task.delegates.task != nil else { return load.provide(.none, answering: question) }
    task.mailbox.post { [task] in
      guard let delegate = task.receiver(\.task) else { return load.provide(.none, answering: question) }
      task.deliverBodyNeed(from: offset, to: delegate) {
        load.provide($0.map { .stream($0) } ?? .none, answering: question)
      }
    }
  }

  var keepsBodyStreams: Bool { false }

  var wantsExchanges: Bool { task.delegates.task != nil }

  func load(_ load: Load, didReceiveInterim response: HTTPURLResponse) {
    guard task.delegates.task != nil else { return }
    task.mailbox.post { [task] in
      if let delegate = task.receiver(\.task) { task.deliver(interim: response, to: delegate) }
    }
  }

  func loadWaitsForConnectivity(_ load: Load) {
    guard task.delegates.task != nil else { return }
    task.mailbox.post { [task] in
      if let delegate = task.receiver(\.task) { task.deliverWaiting(to: delegate) }
    }
  }

  func load(_ load: Load, didReceive total: Int64) {
    task.updateProgress()
  }

  func load(_ load: Load, didSend total: Int64, expected: Int64) {
    task.updateProgress()
    guard task.isWanted(.didSendBodyData, by: { $0.task }) else { return }
    reportSent(total, expected: expected)
  }

  /// Reports sent bytes to the delegate, once for all that were sent since the last report.
  func reportSent(_ total: Int64, expected: Int64) {
    let posts = task.shared.withLock { $0.sent.reported(total, expected: expected) }
    if posts { task.mailbox.post { [task] in task.deliverSent() } }
  }
}
