// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// Between a task, whose load buffers the body, and the one who awaits its bytes.
///
/// Bytes stay in the load's buffer until they are asked for: while nobody asks, at most 1 MiB waits, then the transfer
/// pauses. The I/O thread only leaves word here, and resuming a continuation runs nobody's code on it.
final class ByteChannel: Sendable {
  private struct State {
    var load: Load?
    var response: Result<URLResponse, any Error>?
    var asker: CheckedContinuation<URLResponse, any Error>?
    var hasNews = false
    var reader: CheckedContinuation<Void, Never>?
    var end: End?
  }

  private enum End {
    case complete
    case failed(URLError)
  }

  private let state = Locked(State())

  // MARK: The task's side

  func responded(_ response: URLResponse, of load: Load) {
    let asker = state.withLock { state in
      state.load = load
      state.response = .success(response)
      return state.asker.take()
    }
    asker?.resume(returning: response)
  }

  func bytesCame() {
    let reader = state.withLock { state in
      state.hasNews = state.reader == nil
      return state.reader.take()
    }
    reader?.resume()
  }

  func ended(_ error: URLError?) {
    let (asker, reader) = state.withLock { state in
      state.end = error.map { .failed($0) } ?? .complete
      state.response = state.response ?? .failure(error ?? URLError(.badServerResponse))
      return (state.asker.take(), state.reader.take())
    }
    asker?.resume(throwing: error ?? URLError(.badServerResponse))
    reader?.resume()
  }

  // MARK: The reader's side

  /// The response, as soon as its head is there.
  func response() async throws -> URLResponse {
    try await withCheckedThrowingContinuation { continuation in
      let known = state.withLock { state in
        if state.response == nil { state.asker = continuation }
        return state.response
      }
      if let known { continuation.resume(with: known) }
    }
  }

  /// The next bytes of the body, at most 512 KiB; nil at its end. One caller at a time.
  func piece() async throws -> Data? {
    while true {
      let (load, end) = state.withLock { ($0.load, $0.end) }
      // What had come before a cancel is dropped, what had come before a failure is not.
      if case .failed(let error) = end, error.code == .cancelled { throw error }
      if let piece = load?.takeBody(atMost: URLSessionTask.largestPiece) { return piece }
      switch end {
      case .complete: return nil
      case .failed(let error): throw error
      case nil: await news()
      }
    }
  }

  private func news() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.hasNews || state.end != nil else {
          state.reader = continuation
          return false
        }
        state.hasNews = false
        return true
      }
      if isThere { continuation.resume() }
    }
  }
}
