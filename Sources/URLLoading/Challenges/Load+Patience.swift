// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// A load whose transfer has ended while an answer is awaited has nobody who watches its total time.
extension Load {
  /// Ends the load when its total time is over before the answer comes.
  func watchTotalTime() {
    guard let deadline, phase != .running, phase != .ended, challenges.patience == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: .global())
    let seconds = max(0, (deadline - .now) / .seconds(1))
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      context.transport.perform { self.runOutOfTime() }
    }
    timer.schedule(deadline: .now() + seconds)
    timer.activate()
    challenges.patience = timer
  }

  /// The answer came.
  func stopWatching() {
    challenges.patience?.cancel()
    challenges.patience = nil
  }

  private func runOutOfTime() {
    guard challenges.patience != nil, phase != .running else { return }
    end(LoadError.error(.timedOut, url: currentRequest.url, description: "The request timed out."))
  }
}
