// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

/// How the delegates of a task are asked about a challenge (B.11).
///
/// A challenge that concerns the session, such as a server's trust, goes to the session-level method, and where that is missing
/// to the task-level one; names and passwords go to the task-level method alone. For each method the task's own delegate comes
/// before the session's. The default bodies take a challenge one step further.
///
/// An answer of the session-level method of the session's delegate counts for all tasks of the session; every other answer
/// counts for its task, whose requests then share no connection with those of tasks that decided otherwise.
extension TaskClient {
  func load(_ load: Load, didReceive challenge: LoadChallenge) {
    guard task.delegates.session != nil else {
      return load.answer(challenge, .performDefault)
    }
    task.mailbox.post { [task] in
      guard task.isWanted else { return }
      let sender = TaskChallenge(of: task) {
        load.knownAnswer(to: challenge)
      } deliver: {
        load.answer(challenge, $0, forAll: $1)
      }
      task.route(challenge.makeChallenge(sender: sender)) { sender.answer($0, $1) }
    }
  }

  /// Delegates are asked about a server unless each is known to have left out the methods that could answer.
  var decidesTrust: Bool {
    let delegates = task.delegates
    let (own, all) = (delegates.own, delegates.all)
    return [own.session, all.session].contains { !DelegateMethod.didReceiveSessionChallenge.isKnownToBeLeftOut(by: $0) }
      || [own.task, all.task].contains { !DelegateMethod.didReceiveChallenge.isKnownToBeLeftOut(by: $0) }
  }

  /// A decision for the session counts for this task unless its own delegate may have a mind of its own at that level.
  var remembersTrust: Bool {
    let delegates = task.delegates
    guard let own = delegates.own.session, own !== delegates.all.session else { return true }
    return DelegateMethod.didReceiveSessionChallenge.isKnownToBeLeftOut(by: own)
  }
}

extension URLSessionTask {
  func route(_ challenge: URLAuthenticationChallenge, _ handler: @escaping TaskChallenge.Handler) {
    let delegates = delegates
    let method = ChallengeMethod(challenge.protectionSpace)
    if method?.concernsSession == true, let delegate = delegates.session {
      askSession(delegate, challenge, handler)
    } else {
      askTask(delegates.task, challenge, handler)
    }
  }

  private func askSession(
    _ delegate: any URLSessionDelegate, _ challenge: URLAuthenticationChallenge,
    _ handler: @escaping TaskChallenge.Handler
  ) {
    let sender = challenge.sender as? TaskChallenge
    guard sender?.willAsk(forAll: delegate === delegates.all.session) != false else { return }
    DelegateMethod.didReceiveSessionChallenge.run(on: delegate) {
      announce(.didReceiveSessionChallenge)
    } call: {
      delegate.urlSession(session, didReceive: challenge, completionHandler: handler)
    }
  }

  private func askTask(
    _ delegate: (any URLSessionTaskDelegate)?, _ challenge: URLAuthenticationChallenge,
    _ handler: @escaping TaskChallenge.Handler
  ) {
    _ = (challenge.sender as? TaskChallenge)?.willAsk(forAll: false)
    guard let delegate else { return handler(.performDefaultHandling, nil) }
    DelegateMethod.didReceiveChallenge.run(on: delegate) {
      announce(.didReceiveChallenge)
    } call: {
      delegate.urlSession(session, task: self, didReceive: challenge, completionHandler: handler)
    }
  }

  /// `delegate` has no session-level method.
  func continueChallenge(
    after delegate: any URLSessionDelegate, _ challenge: URLAuthenticationChallenge,
    _ handler: @escaping TaskChallenge.Handler
  ) {
    let delegates = delegates
    if let next = delegates.after(delegate)?.session {
      askSession(next, challenge, handler)
    } else {
      askTask(delegates.task, challenge, handler)
    }
  }

  /// `delegate` has no task-level method.
  func continueChallenge(
    afterTask delegate: any URLSessionTaskDelegate, _ challenge: URLAuthenticationChallenge,
    _ handler: @escaping TaskChallenge.Handler
  ) {
    askTask(roles(after: delegate)?.task, challenge, handler)
  }
}
