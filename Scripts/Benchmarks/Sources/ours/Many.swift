// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SessionAPI

/// Data tasks with a handler: as many at once as asked for, each end starting the next.
///
/// Unchecked because its state is only touched on the session's serial queue, and by the waiting thread afterwards.
final class Gathering: @unchecked Sendable {
  private let session: URLSession
  private let url: URL
  private let isNumbered: Bool
  private let count: Int
  private let ended = DispatchSemaphore(value: 0)
  private var started = 0
  private var outcome = Outcome(transfers: 0, bytes: 0)
  private var first: Data?
  /// Answers that are the first one again.
  private(set) var repetitions = 0
  private var error: (any Error)?

  /// With `isNumbered` each request is for an address of its own.
  init(
    _ url: URL, count: Int, atOnce: Int, _ configuration: URLSessionConfiguration = .ephemeral, isNumbered: Bool = false
  ) {
    self.isNumbered = isNumbered
    configuration.httpMaximumConnectionsPerHost = atOnce
    session = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
    self.url = url
    self.count = count
  }

  func run(atOnce: Int) throws -> Outcome {
    defer { session.finishTasksAndInvalidate() }
    session.delegateQueue.addOperation {
      for _ in 0..<min(atOnce, self.count) { self.startNext() }
    }
    ended.wait()
    if let error { throw error }
    return outcome
  }

  private func startNext() {
    started += 1
    let url = isNumbered ? URL(string: url.absoluteString + "&n=\(started)") : url
    session.dataTask(with: url ?? self.url) { data, _, error in
      self.take(data, error)
      if self.started < self.count { self.startNext() }
    }.resume()
  }

  private func take(_ data: Data?, _ error: (any Error)?) {
    self.error = self.error ?? error
    outcome.transfers += 1
    outcome.bytes += Int64(data?.count ?? 0)
    first = first ?? data
    if data == first { repetitions += 1 }
    if outcome.transfers == count { ended.signal() }
  }
}

func collect(_ url: URL) throws -> Outcome {
  try Gathering(url, count: 1, atOnce: 1).run(atOnce: 1)
}

func small(_ url: URL, count: Int, atOnce: Int) throws -> Outcome {
  try Gathering(url, count: count, atOnce: atOnce).run(atOnce: atOnce)
}

/// One answer, stored and given again and again. In place of bytes its outcome counts answers that are the first one: no two of
/// that server's are.
func cached(_ url: URL, count: Int) throws -> Outcome {
  let gathering = Gathering(url, count: count, atOnce: 1)
  let outcome = try gathering.run(atOnce: 1)
  return Outcome(transfers: outcome.transfers, bytes: Int64(gathering.repetitions))
}

/// All begun at once, six at a time.
func queued(_ url: URL, count: Int) throws -> Outcome {
  try Gathering(url, count: count, atOnce: 6).run(atOnce: count)
}

func parallel(_ url: URL, count: Int) throws -> Outcome {
  try Gathering(url, count: count, atOnce: count).run(atOnce: count)
}
