// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// A load whose transfer has ended while an answer is awaited has nobody who watches its total time.
extension Load {
  /// Ends the load when its total time is over before the answer comes.
  func watchTotalTime() {
    guard let deadline, phase != .running, phase != .ended, patience == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: .global())
    let seconds = max(0, (deadline - .now) / .seconds(1))
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      context.transport.perform { self.runOutOfTime() }
    }
    timer.schedule(deadline: .now() + seconds)
    timer.activate()
    patience = timer
  }

  /// The answer came.
  func stopWatching() {
    patience?.cancel()
    patience = nil
  }

  private func runOutOfTime() {
    guard patience != nil, phase != .running else { return }
    end(LoadError.error(.timedOut, url: currentURL, description: "The request timed out."))
  }
}
