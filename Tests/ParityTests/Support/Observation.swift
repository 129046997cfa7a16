// SPDX-License-Identifier: Apache-2.0
import Locking
import SessionAPI

/// The events that one load told its delegate or handler, whichever API it was.
final class Observation: Sendable {
  struct Facts: Sendable {
    var ends = 0
    /// Calls after the end.
    var late = 0
    var status: Int?
    var fields: [String: String] = [:]
    var expectedLength: Int64?
    var url: URL?
    var mimeType: String?
    var textEncoding: String?
    var body: [UInt8] = []
    /// The body's part behind each response; more than one where responses replace one another.
    var bodies: [[UInt8]] = []
    /// The fields of each response.
    var heads: [[String: String]] = []
    var error: (any Error)?

    mutating func note(_ response: URLResponse) {
      (url, mimeType, textEncoding) = (response.url, response.mimeType, response.textEncodingName)
    }
  }

  private struct State {
    var facts = Facts()
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  var facts: Facts { state.withLock { $0.facts } }

  func response(_ response: URLResponse?) {
    if let response { change { $0.note(response) } }
    guard let response = response as? HTTPURLResponse else { return }
    let fields = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
      fields["\(field.key)".lowercased()] = "\(field.value)"
    }
    change { facts in
      facts.status = response.statusCode
      facts.expectedLength = response.expectedContentLength
      facts.fields = fields
      facts.heads.append(fields)
      facts.bodies.append([])
    }
  }

  func data(_ data: Data) {
    change { facts in
      facts.body += data
      if !facts.bodies.isEmpty { facts.bodies[facts.bodies.count - 1] += data }
    }
  }

  func end(_ error: (any Error)?) {
    let waiter = state.withLock { state in
      state.facts.ends += 1
      state.facts.error = error
      return state.waiter.take()
    }
    waiter?.resume()
  }

  private func change(_ body: (inout Facts) -> Void) {
    state.withLock { state in
      if state.facts.ends > 0 { state.facts.late += 1 }
      body(&state.facts)
    }
  }

  /// Waits for the end; false when it has not come by then.
  func hasEnded(within limit: Duration) async -> Bool {
    let timer = Task {
      try? await Task.sleep(for: limit)
      state.withLock { $0.waiter.take() }?.resume()
    }
    defer { timer.cancel() }
    await waitForEnd()
    return facts.ends > 0
  }

  /// Waits for the end, however long, and without a timer, which takes a descriptor.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.facts.ends == 0 { state.waiter = continuation }
        return state.facts.ends > 0
      }
      if isOver { continuation.resume() }
    }
  }
}
