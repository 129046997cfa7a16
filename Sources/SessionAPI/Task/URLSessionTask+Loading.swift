// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
package import URLLoading

/// The I/O thread's side: note, post, return.
extension URLSessionTask: LoadClient {
  package func load(_ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest) {
    guard taskDelegate != nil else { return load.follow(request) }
    mailbox.post { [self] in
      guard isWanted, let delegate = taskDelegate else { return load.follow(request) }
      let isSocket = self is URLSessionWebSocketTask
      let shown = isSocket ? WebSocketURL.shown(request) : request
      deliver(redirect, redirectingTo: shown, to: delegate) { load.follow($0) }
    }
  }

  package func load(_ load: Load, needsBodyFor request: URLRequest) {
    guard taskDelegate != nil else { return load.provide(.none) }
    mailbox.post { [self] in
      guard isWanted, let delegate = taskDelegate else { return load.provide(.none) }
      deliverBodyNeed(to: delegate) { load.provide($0.map { .stream($0) } ?? .none) }
    }
  }

  package func load(_ load: Load, needsBodyFor request: URLRequest, from offset: Int64) {
    guard taskDelegate != nil else { return load.provide(.none) }
    mailbox.post { [self] in
      guard isWanted, let delegate = taskDelegate else { return load.provide(.none) }
      deliverBodyNeed(from: offset, to: delegate) { load.provide($0.map { .stream($0) } ?? .none) }
    }
  }

  package var keepsBodyStreams: Bool { false }

  package var wantsExchanges: Bool { taskDelegate != nil }

  package func load(_ load: Load, didReceive response: URLResponse) {
    let receiver = shared.withLock { state in
      state.response = response
      return state.receiver
    }
    updateProgress()
    if case .bytes(let channel) = receiver { return channel.responded(response, of: load) }
    // A stream reads the parts of a body that has some one after the other.
    if case .link = receiver { return load.accept(.stream) }
    guard case .dataDelegate = receiver else { return }
    guard dataDelegate != nil else { return load.accept(.stream) }
    mailbox.post { [self] in deliverResponse(response, of: load) }
  }

  package func loadHasBody(_ load: Load) {
    switch shared.withLock({ $0.receiver }) {
    case .bytes(let channel): return channel.bytesCame()
    case .link(let user): return user.bodyCame(self)
    case .dataDelegate, .dataHandler, .downloadDelegate, .fileHandler, .gone: break
    }
    mailbox.post { [self] in deliverBody(of: load) }
  }

  package func load(_ load: Load, didWrite total: Int64, expected: Int64) {
    guard isWanted(.didWriteData, by: { $0.download }) else { return }
    let posts = shared.withLock { state in
      guard case .downloadDelegate = state.receiver else { return false }
      return state.written.reported(total, expected: expected)
    }
    if posts { mailbox.post { [self] in deliverWritten() } }
  }

  package func load(_ load: Load, didReceive total: Int64) {
    updateProgress()
  }

  package func load(_ load: Load, didSend total: Int64, expected: Int64) {
    updateProgress()
    guard isWanted(.didSendBodyData, by: { $0.task }) else { return }
    let posts = shared.withLock { $0.sent.reported(total, expected: expected) }
    if posts { mailbox.post { [self] in deliverSent() } }
  }

  package func load(_ load: Load, didEnd end: LoadEnd) {
    // The load may end before it has heard for whom it works now.
    let (next, receiver, refusal) = shared.withLock { ($0.successor, $0.receiver, $0.refusal) }
    if let next { return next.load(load, didEnd: end) }
    guard case .link(let user) = receiver else { return conclude(end, of: load) }
    var end = end
    end.error = (refusal ?? end.error).map { user.shown($0) }
    user.ended(end.error, self) { [end] in self.conclude(end, of: load) }
  }

  /// There is nothing left to order: the end is brought to the delegate queue.
  func conclude(_ end: LoadEnd, of load: Load) {
    let handler = shared.withLock { state in
      state.life.ended()
      return state.resumeHandler.take()
    }
    finish(end, of: load, handler)
  }
}

extension URLSessionTask {
  /// Whether a delegate may have this method: waking the delegate queue for each of many reports to nobody costs as much
  /// as sending the bytes.
  private func isWanted(_ method: DelegateMethod, by role: (DelegateRoles) -> (any URLSessionDelegate)?) -> Bool {
    !method.isKnownToBeLeftOut(by: role(shared.withLock { $0.roles }))
      || !method.isKnownToBeLeftOut(by: role(session.roles))
  }
}
