// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Timeline
import URLLoading

extension URLSession {
  /// Makes a task of the wanted kind, which the session keeps until it has completed.
  ///
  /// A task for an invalid session is a programmer's error: Apple raises an exception that Swift cannot catch.
  func make<Made: URLSessionTask>(
    _ order: TaskOrder, _ make: (TaskOrder, Int, URLSession, LoadContext) -> Made
  ) -> Made {
    guard let (identifier, context) = changing.withLock({ $0.reserve() }) else {
      Mistake.stop(
        "URLSession",
        """
        Task created in a session that has been invalidated. Make a new URLSession, or invalidate this one only when \
        no more tasks are wanted.
        """)
    }
    let task = make(order, identifier, self, context)
    let isTooLate = changing.withLock { $0.registry.insert(task) }
    if let delegate = task.taskDelegate { task.deliverCreation(to: delegate) }
    if isTooLate { task.cancel() }
    return task
  }

  /// Lets the tasks there are end, those that were never resumed as well, and takes no new ones. Then the delegate is
  /// told and let go. Returns at once; a second call has no effect, nor has one on `shared`.
  public func finishTasksAndInvalidate() {
    guard !isShared else { return }
    if changing.withLock({ $0.registry.finish() }) { post { [self] in becomeInvalid() } }
  }

  /// Cancels the tasks there are, each of which ends with -999, and takes no new ones. Then the delegate is told and
  /// let go. Returns at once; a second call has no effect, nor has one on `shared`.
  public func invalidateAndCancel() {
    guard !isShared else { return }
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
      state.roles = DelegateRoles(nil)
      return state.context.take()
    }
    context?.invalidate()
    Self.living.withLock { $0[ObjectIdentifier(self)] = nil }
  }
}
