// SPDX-License-Identifier: Apache-2.0
import Delivery
import Synchronization

/// One call of a delegate's method in its asynchronous spelling, which Apple's importer makes of each method with a handler
/// for an answer, and which a class may have in place of that.
///
/// A class cannot be asked whether it has it (`DelegateMethod`). So the default body of the method with the handler calls
/// it, and the default body of this one marks the running call, which it finds in a task-local value.
final class AsynchronousMethod: Sendable {
  @TaskLocal private static var running: AsynchronousMethod?

  private let method: DelegateMethod
  private let delegate: ObjectIdentifier
  private let hasDefaultRun = Atomic<Bool>(false)

  private init(_ method: DelegateMethod, of delegate: any URLSessionDelegate) {
    self.method = method
    self.delegate = ObjectIdentifier(delegate)
  }

  /// Called by the default bodies: the class of `delegate` does not have this method.
  static func isMissing(_ method: DelegateMethod, in delegate: any URLSessionDelegate) {
    // A method of the user's may call others, also of other delegates.
    guard let running, running.method == method, running.delegate == ObjectIdentifier(delegate) else { return }
    running.hasDefaultRun.store(true, ordering: .relaxed)
  }

  /// Returns the answer of `call`; nil where only its default body ran.
  fileprivate static func result<Answer>(
    of method: DelegateMethod, _ delegate: any URLSessionDelegate, _ call: () async -> Answer
  ) async -> Answer? {
    let mine = AsynchronousMethod(method, of: delegate)
    let answer = await $running.withValue(mine) { await call() }
    return mine.hasDefaultRun.load(ordering: .relaxed) ? nil : answer
  }
}

extension URLSessionTask {
  /// Continues where `delegate` has no `method` with a handler; called by its default body, on the delegate queue.
  ///
  /// - Parameters:
  ///   - method: Which.
  ///   - delegate: Its owner.
  ///   - call: Calls the asynchronous spelling. It begins at once and on this thread, so that a class that has neither needs
  ///     no other thread to find that out, which is remembered.
  ///   - answer: Takes what that returns, wherever it does.
  ///   - next: Runs on the delegate queue where the class has neither.
  func ask<Answer>(
    _ method: DelegateMethod, of delegate: any URLSessionTaskDelegate, _ call: @escaping @Sendable () async -> Answer,
    answer: @escaping @Sendable (Answer) -> Void, next: @escaping @Sendable () -> Void
  ) {
    method.isMissing(in: delegate)
    if method.isKnownToBeLeftOut(by: delegate) { return next() }
    // Not awaited and not cancelled: like a handler, it is the user's code and may answer late or never.
    Task.immediate { [self] in
      guard let result = await AsynchronousMethod.result(of: method, delegate, call) else {
        method.isLeftOut(by: delegate)
        return mailbox.post { [self] in if isWanted { next() } }
      }
      announce(method)
      answer(result)
    }
  }
}
