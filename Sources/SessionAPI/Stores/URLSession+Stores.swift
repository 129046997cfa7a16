// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// The stores that a session keeps between its tasks.
extension URLSession {
  /// Empties the stores; the asynchronous form of `reset(completionHandler:)`.
  public func reset() async {
    await withCheckedContinuation { continuation in reset { continuation.resume() } }
  }

  /// Lets later tasks use new connections; the asynchronous form of `flush(completionHandler:)`.
  public func flush() async {
    await withCheckedContinuation { continuation in flush { continuation.resume() } }
  }

  func emptyStores(_ completionHandler: @escaping @Sendable () -> Void) {
    let context = renewContext()
    guard let context else { return post(completionHandler) }
    context.emptyStores { [self] in post(completionHandler) }
  }

  func renewConnections(_ completionHandler: @escaping @Sendable () -> Void) {
    guard let context = renewContext() else { return post(completionHandler) }
    context.writeStores { [self] in post(completionHandler) }
  }

  /// Gives later tasks a context of their own; the one there was goes with its last task. Returns the new one, or nil when
  /// the session is invalid.
  private func renewContext() -> LoadContext? {
    let fresh = LoadContext(configuration.loadConfiguration)
    return changing.withLock { state in
      guard state.context != nil else { return nil }
      state.context = fresh
      return fresh
    }
  }
}
