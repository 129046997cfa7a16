// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// The one place where delegate methods of tasks are called, and noted in the timeline.
extension URLSessionTask {
  var delegates: TaskDelegates { shared.withLock { $0.delegates } }

  /// The delegate in this role to which something other than the end may still be delivered; nil once the task was cancelled
  /// or has completed.
  func receiver<Delegate>(_ role: (TaskDelegates) -> Delegate?) -> Delegate? {
    shared.withLock { $0.life.isWanted ? role($0.delegates) : nil }
  }

  /// The delegates after the task's own, for a method that it does not have.
  func roles(after delegate: any URLSessionTaskDelegate) -> DelegateRoles? { delegates.after(delegate) }

  /// True if a delegate may have this method: waking the delegate queue for each of many reports that no delegate takes costs
  /// as much as sending the bytes.
  func isWanted(_ method: DelegateMethod, by role: (DelegateRoles) -> (any URLSessionDelegate)?) -> Bool {
    let delegates = delegates
    return !method.isKnownToBeLeftOut(by: role(delegates.own)) || !method.isKnownToBeLeftOut(by: role(delegates.all))
  }

  func announce(_ method: DelegateMethod, _ payload: @autoclosure () -> TimelineEvent.Payload = .none) {
    announce(method.event, payload())
  }

  func announce(_ kind: @autoclosure () -> TimelineEvent.Kind, _ payload: @autoclosure () -> TimelineEvent.Payload) {
    guard Timeline.isRecording, let load else { return }
    Timeline.emit(kind(), subject: load.subject, payload: payload())
  }

  func deliverCreation(to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didCreateTask.run(on: delegate) {
      announce(.didCreateTask)
    } call: {
      delegate.urlSession(session, didCreateTask: self)
    }
  }

  func deliver(
    delayed request: URLRequest, to delegate: any URLSessionTaskDelegate,
    answer: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.willBeginDelayed.run(on: delegate) {
      announce(.willBeginDelayed)
    } call: {
      delegate.urlSession(session, task: self, willBeginDelayedRequest: request) {
        if once.claim() { answer($0, $1) }
      }
    }
  }

  func deliver(
    _ redirect: HTTPURLResponse, redirectingTo request: URLRequest, to delegate: any URLSessionTaskDelegate,
    answer: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.willPerformRedirection.run(on: delegate) {
      announce(.willPerformRedirection, .response(redirect))
    } call: {
      delegate.urlSession(session, task: self, willPerformHTTPRedirection: redirect, newRequest: request) {
        if once.claim() { answer($0) }
      }
    }
  }

  func deliverBodyNeed(
    to delegate: any URLSessionTaskDelegate, answer: @escaping @Sendable (InputStream?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.needNewBodyStream.run(on: delegate) {
      announce(.needNewBodyStream)
    } call: {
      delegate.urlSession(session, task: self, needNewBodyStream: { if once.claim() { answer($0) } })
    }
  }

  func deliverBodyNeed(
    from offset: Int64, to delegate: any URLSessionTaskDelegate, answer: @escaping @Sendable (InputStream?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.needNewBodyStreamFrom.run(on: delegate) {
      announce(.needNewBodyStreamFrom)
    } call: {
      delegate.urlSession(session, task: self, needNewBodyStreamFrom: offset) { if once.claim() { answer($0) } }
    }
  }

  /// One callback of the mailbox for all that was sent since the last one.
  func deliverSent() {
    let report = shared.withLock { state in state.life.isWanted ? (state.sent.take(), state.delegates.task) : nil }
    if case (let piece?, let delegate?)? = report { deliver(sent: piece, to: delegate) }
  }

  func deliver(sent piece: Tally.Piece, to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didSendBodyData.run(on: delegate) {
      announce(.didSendBodyData, .progress(piece))
    } call: {
      delegate.urlSession(
        session, task: self, didSendBodyData: piece.bytes, totalBytesSent: piece.total,
        totalBytesExpectedToSend: piece.expected)
    }
  }

  func deliver(interim response: HTTPURLResponse, to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didReceiveInformational.run(on: delegate) {
      announce(.didReceiveInformational, .response(response))
    } call: {
      delegate.urlSession(session, task: self, didReceiveInformationalResponse: response)
    }
  }

  func deliverWaiting(to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.isWaitingForConnectivity.run(on: delegate) {
      announce(.isWaitingForConnectivity)
    } call: {
      delegate.urlSession(session, taskIsWaitingForConnectivity: self)
    }
  }

  /// The end is noted in the timeline before the delegate is called, whatever methods it has: a recorder may stop there.
  func deliver(completion error: (any Error)?, to delegate: any URLSessionTaskDelegate) {
    announce(.didComplete, .end(error))
    delegate.urlSession(session, task: self, didCompleteWithError: error)
  }

  /// The delegate has no method for the end.
  func noteCompletionLeftOut() {
    announce(.leftOut(name: DelegateMethod.didComplete.name, detail: ""), .none)
  }
}
