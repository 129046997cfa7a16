// SPDX-License-Identifier: Apache-2.0
#if OWN
  import Dispatch
  import SessionAPI

  /// Messages of 16 bytes that come back, so many sent before the first has come.
  func echo(_ url: URL, count: Int, atOnce: Int) throws -> Outcome {
    let address = URL(string: url.absoluteString.replacingOccurrences(of: "http://", with: "ws://")) ?? url
    let echoing = Echoing(
      URLSession(configuration: .ephemeral).webSocketTask(with: address), count, atOnce: min(atOnce, count))
    return try echoing.run()
  }

  /// Unchecked because its state is only touched on the session's serial queue, and by the waiting thread afterwards.
  private final class Echoing: @unchecked Sendable {
    private let task: URLSessionWebSocketTask
    private let ended = DispatchSemaphore(value: 0)
    private let message = Data(repeating: 7, count: 16)
    private let count: Int
    private var started: Int
    private var outcome = Outcome(transfers: 0, bytes: 0)
    private var error: (any Error)?

    init(_ task: URLSessionWebSocketTask, _ count: Int, atOnce: Int) {
      (self.task, self.count, started) = (task, count, atOnce)
    }

    func run() throws -> Outcome {
      task.resume()
      for _ in 0..<started { exchange() }
      ended.wait()
      task.cancel(with: .normalClosure, reason: nil)
      if let error { throw error }
      return outcome
    }

    private func exchange() {
      task.send(.data(message)) { if let error = $0 { self.end(error) } }
      task.receive { result in
        switch result {
        case .failure(let error): self.end(error)
        case .success(.data(let data)):
          self.outcome = Outcome(transfers: self.outcome.transfers + 1, bytes: self.outcome.bytes + Int64(data.count))
          if self.outcome.transfers == self.count { return self.end(nil) }
          self.started += 1
          if self.started <= self.count { self.exchange() }
        default: self.end(Usage())
        }
      }
    }

    private func end(_ error: (any Error)?) {
      self.error = error
      ended.signal()
    }
  }
#endif
