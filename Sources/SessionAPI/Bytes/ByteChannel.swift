// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// Between a task, whose load buffers the body, and the one who awaits its bytes.
///
/// Bytes stay in the load's buffer until they are asked for: while nobody asks, at most 1 MiB waits, then the transfer
/// pauses. The I/O thread only leaves word here, and resuming a continuation runs nobody's code on it.
///
/// Several iterators may read at once, each in a Swift task of its own: a piece goes to one of them, and whoever found none
/// waits with the others for the next, or for the end.
final class ByteChannel: Sendable {
  private struct State {
    var load: Load?
    var response: Result<URLResponse, any Error>?
    var asker: CheckedContinuation<URLResponse, any Error>?
    var hasNews = false
    var readers: [CheckedContinuation<Void, Never>] = []
    var iterators = 0
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
    let readers = state.withLock { state in
      state.hasNews = state.readers.isEmpty
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.resume() }
  }

  func ended(_ error: URLError?) {
    let (asker, readers) = state.withLock { state in
      state.end = error.map { .failed($0) } ?? .complete
      state.response = state.response ?? .failure(error ?? URLError(.badServerResponse))
      defer { state.readers = [] }
      return (state.asker.take(), state.readers)
    }
    asker?.resume(throwing: error ?? URLError(.badServerResponse))
    for reader in readers { reader.resume() }
  }

  // MARK: The readers' side

  /// How many wait for bytes just now.
  var waitingReaders: Int { state.withLock { $0.readers.count } }

  /// Somebody begins to read.
  func beginIterating() {
    state.withLock { $0.iterators += 1 }
  }

  /// Somebody has done with reading. True when nobody reads any more.
  func endIterating() -> Bool {
    state.withLock { state in
      state.iterators -= 1
      return state.iterators == 0
    }
  }

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

  /// The next bytes of the body that nobody else has got, at most 512 KiB; nil at its end.
  func piece() async throws -> Data? {
    while true {
      let (load, end) = state.withLock { ($0.load, $0.end) }
      // What had come before a cancel is dropped, what had come before a failure is not.
      if case .failed(let error) = end, error.code == .cancelled { throw error }
      if let load, let piece = load.takeBody(atMost: URLSessionTask.largestPiece) {
        // The load says so only once, and perhaps to somebody who does not ask again.
        if load.hasBody { bytesCame() }
        return piece
      }
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
          state.readers.append(continuation)
          return false
        }
        state.hasNews = false
        return true
      }
      if isThere { continuation.resume() }
    }
  }
}
