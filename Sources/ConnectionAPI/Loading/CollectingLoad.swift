// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Recorder
import Timeline
import URLLoading

/// A load without a delegate: it follows redirects, collects the body and calls one closure at its end.
final class CollectingLoad: LoadClient {
  /// How it ended.
  struct Outcome: Sendable {
    /// The final response; nil where the load failed before it.
    var response: URLResponse?
    /// The body; empty when there was none.
    var body: Data
    /// nil on success.
    var error: URLError?
    /// The load's number on the timeline.
    var subject: UInt64
  }

  private let response = Locked<URLResponse?>(nil)
  private let completion: @Sendable (Outcome) -> Void

  private init(completion: @escaping @Sendable (Outcome) -> Void) {
    self.completion = completion
  }

  /// Loads; `completion` is called once, on the I/O thread, and must return at once.
  static func start(_ request: URLRequest, form: LoadForm, completion: @escaping @Sendable (Outcome) -> Void) {
    ProgramRecording.beginOnce()
    let client = CollectingLoad(completion: completion)
    let load = Load(request, in: ConnectionLoad.context, sink: .collect, client: client)
    Load.tellMade(form, of: request, subject: load.subject)
    load.start()
  }

  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    self.response.withLock { $0 = response }
  }

  func load(_ load: Load, didEnd end: LoadEnd) {
    let response = response.withLock { $0 }
    completion(Outcome(response: response, body: end.body ?? Data(), error: end.error, subject: load.subject))
  }
}
