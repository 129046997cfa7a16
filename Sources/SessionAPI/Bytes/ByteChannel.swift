// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// Between a task, whose load buffers the body, and the reader that awaits its bytes.
///
/// Bytes stay in the load's buffer until they are asked for: without a reader at most 1 MiB waits, then the transfer
/// pauses. The I/O thread only resumes a continuation, which runs no user code on it.
///
/// Several iterators may read at once, each in a Swift task of its own: a piece goes to one of them, and one that found none
/// waits with the others for the next, or for the end.
final class ByteChannel: Sendable {
  private struct State {
    var load: Load?
    var response: Result<URLResponse, any Error>?
    var asker: CheckedContinuation<URLResponse, any Error>?
    var hasNews = false
    /// The readers that wait for bytes, by number.
    var readers: [(reader: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// The readers that read or may do so again.
    var iterators: Set<Int> = []
    var lastIterator = 0
    /// Those of them that were cancelled while others continued.
    var cancelled: Set<Int> = []
    var end: End?
  }

  private enum End {
    case complete
    case failed(any Error)
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
    for reader in readers { reader.continuation.resume() }
  }

  func ended(_ error: (any Error)?) {
    let (asker, readers) = state.withLock { state in
      state.end = error.map { .failed($0) } ?? .complete
      state.response = state.response ?? .failure(error ?? URLError(.badServerResponse))
      defer { state.readers = [] }
      return (state.asker.take(), state.readers)
    }
    asker?.resume(throwing: error ?? URLError(.badServerResponse))
    for reader in readers { reader.continuation.resume() }
  }

  // MARK: The readers' side

  /// How many wait for bytes just now.
  var waitingReaders: Int { state.withLock { $0.readers.count } }

  /// A reader begins: returns the reader's number.
  func beginIterating() -> Int {
    state.withLock { state in
      state.lastIterator += 1
      state.iterators.insert(state.lastIterator)
      return state.lastIterator
    }
  }

  /// A reader has ended. True when it was the last.
  func endIterating(_ reader: Int) -> Bool {
    state.withLock { state in
      state.iterators.remove(reader)
      state.cancelled.remove(reader)
      return state.iterators.count == state.cancelled.count
    }
  }

  /// The Swift task of a reader was cancelled. True when it was the last one that read: then the URL task is to be cancelled;
  /// otherwise its reading alone ends.
  func cancel(_ reader: Int) -> Bool {
    let (isLast, waiting) = state.withLock { state in
      guard state.iterators.subtracting(state.cancelled) != [reader] else {
        return (true, CheckedContinuation<Void, Never>?.none)
      }
      state.cancelled.insert(reader)
      let place = state.readers.firstIndex { $0.reader == reader }
      return (false, place.map { state.readers.remove(at: $0).continuation })
    }
    waiting?.resume()
    return isLast
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

  /// The next bytes of the body that no other reader got, at most 512 KiB; nil at its end.
  func piece(for reader: Int) async throws -> Data? {
    while true {
      let (load, end, isCancelled) = state.withLock { ($0.load, $0.end, $0.cancelled.contains(reader)) }
      if isCancelled {
        throw LoadError.error(.cancelled, url: load?.currentRequest.url, description: "cancelled")
      }
      // Bytes that had come before a cancel are dropped, those that had come before a failure are not.
      if case .failed(let error) = end, (error as? URLError)?.code == .cancelled { throw error }
      if let load, let piece = load.takeBody(atMost: DataClient.largestPiece) {
        // The load says so only once, and perhaps to a reader that does not ask again.
        if load.hasBody { bytesCame() }
        return piece
      }
      switch end {
      case .complete: return nil
      case .failed(let error): throw error
      case nil: await news(for: reader)
      }
    }
  }

  private func news(for reader: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.hasNews || state.end != nil || state.cancelled.contains(reader) else {
          state.readers.append((reader, continuation))
          return false
        }
        if !state.cancelled.contains(reader) { state.hasNews = false }
        return true
      }
      if isThere { continuation.resume() }
    }
  }
}
