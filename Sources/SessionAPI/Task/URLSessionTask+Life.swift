// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

extension URLSessionTask {
  var load: Load? { shared.withLock { $0.load } }
  var client: TaskClient? { shared.withLock { $0.client } }

  /// True if anything but the end may still be delivered.
  var isWanted: Bool { shared.withLock { $0.life.isWanted } }

  /// Gives the life an event and performs what follows from it.
  func live(_ event: (inout TaskLife) -> Void) {
    var next = shared.withLock { state -> (TaskLife.Action, Load, URLError?)? in
      guard !state.isInert else { return nil }
      event(&state.life)
      return state.life.beginActing() ? state.nextAction() : nil
    }
    while let (action, load, refusal) = next {
      carryOut(action, on: load, refusal)
      next = shared.withLock { $0.nextAction() }
    }
  }

  /// Why the task cannot start: the file to be uploaded or the resume data is none.
  func objection(_ known: URLError?) -> URLError? {
    known ?? RequestBody.refusal(of: body, url: originalRequest?.url)
  }

  /// Ends a task whose load was never started.
  func refuse(_ load: Load, _ refusal: URLError) {
    shared.withLock { $0.refusal = refusal }
    load.cancel()
  }
}
