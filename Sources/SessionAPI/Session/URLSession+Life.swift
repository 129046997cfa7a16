// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// How a session ends.
extension URLSession {
  func finishTasks() {
    guard !isShared else { return }
    Timeline.emit(.step(.sessionInvalidated), subject: parts.subject)
    if changing.withLock({ $0.registry.finish() }) { post { [self] in becomeInvalid() } }
  }

  func cancelTasks() {
    guard !isShared else { return }
    Timeline.emit(.step(.sessionInvalidated), subject: parts.subject)
    if changing.withLock({ $0.registry.cancel() }) { post { [self] in becomeInvalid() } }
    for task in unfinishedTasks { task.cancel() }
  }

  /// The task's last callback has returned.
  func taskCompleted(_ task: URLSessionTask) {
    if changing.withLock({ $0.registry.remove(task) }) { post { [self] in becomeInvalid() } }
  }

  private func becomeInvalid() {
    if let delegate = roles.session {
      DelegateMethod.didBecomeInvalid.run(on: delegate) {
        Timeline.emit(DelegateMethod.didBecomeInvalid.event, subject: 0)
      } call: {
        delegate.urlSession(self, didBecomeInvalidWithError: nil)
      }
    }
    let context = changing.withLock { state in
      state.roles = .none
      return state.context.take()
    }
    context?.invalidate()
    parts.agent?.close()
    Self.living.withLock { $0[ObjectIdentifier(self)] = nil }
  }
}
