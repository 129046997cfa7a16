// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Transport

/// The bytes of an InputStream, which may block: read on a queue of its own, one piece ahead of the sending.
///
/// Where it is wanted, what was read is kept, so that the body can be sent again from its first byte. The last piece stays
/// in memory and only the bytes before it go to a file, so a small stream never touches the disk, and a large one
/// needs no more memory than a piece and the next.
final class BodyStream: @unchecked Sendable {
  // Sendable: `stream` and `file` are touched on the queue alone; the rest is behind the lock. A file that `state` has
  // got is only read, and only where writing is over: also beside the queue, where the stream may block.
  fileprivate struct State {
    /// The available bytes, from `start` on.
    var piece: [UInt8] = []
    var start: Int64 = 0
    /// The bytes before `start`, if they are kept.
    var file: SpoolFile?
    var isKept = true
    /// Bytes of the file that were read again, and where they stand.
    var again: (start: Int64, bytes: [UInt8])?
    var isReadingAgain = false
    var isReading = false
    var isAtEnd = false
    var hasFailed = false
    var wake: (@Sendable () -> Void)?
  }

  fileprivate enum Found {
    case answer(BodyRead)
    case inFile(SpoolFile, Int64)
    case refill
  }

  private let stream: InputStream
  private let keeps: Bool
  private var file: SpoolFile?
  private let queue = DispatchQueue(label: "url-body-stream")
  private let state = Locked(State())
  private static let pieceSize = 128 * 1024

  /// Takes over `stream`, not opened yet; `keeps` so that it can be read twice.
  init(_ stream: InputStream, keeps: Bool) {
    self.stream = stream
    self.keeps = keeps
  }

  deinit {
    if stream.streamStatus != .notOpen { stream.close() }
  }

  /// True if every byte that was read can be read again.
  var isKept: Bool { state.withLock { $0.isKept } }

  /// How many bytes were read.
  var bytesRead: Int64 { state.withLock { $0.start + Int64($0.piece.count) } }

  /// Has `wake` called, on any thread, when bytes have arrived after `read` had answered that there were none.
  func whenReady(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  /// Fills a part of `buffer` with what stands at `offset`, which is not beyond the first byte that was never read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> BodyRead {
    switch state.withLock({ unsafe $0.find(offset, buffer) }) {
    case .answer(let answer): return answer
    case .refill:
      queue.async { self.refill() }
      return .wait
    case .inFile(let file, let count):
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: count)))
      if let count = unsafe file.readCached(into: room, at: offset) { return .bytes(count) }
      readAgain(file, at: offset, Int(min(count, Int64(Self.pieceSize))))
      return .wait
    }
  }

  /// Reads bytes of the file where the disk may take its time.
  private func readAgain(_ file: SpoolFile, at offset: Int64, _ count: Int) {
    state.withLock { $0.isReadingAgain = true }
    DispatchQueue.global().async { [self] in
      var bytes = [UInt8](repeating: 0, count: count)
      let found = unsafe bytes.withUnsafeMutableBytes { unsafe file.read(into: $0, at: offset) }
      bytes.removeLast(count - found)
      let wake = state.withLock { [bytes] state in
        (state.isReadingAgain, state.again) = (false, (offset, bytes))
        return state.wake
      }
      wake?()
    }
  }

  private func refill() {
    if stream.streamStatus == .notOpen { stream.open() }
    var next = [UInt8](repeating: 0, count: Self.pieceSize)
    let count = unsafe stream.read(&next, maxLength: next.count)
    next.removeLast(next.count - max(0, count))
    let kept = count > 0 && keep()
    let wake = state.withLock { [next, file] state in
      state.isReading = false
      state.isAtEnd = count == 0
      state.hasFailed = count < 0
      if count > 0 { state.advance(to: next, file: kept ? file : nil) }
      return state.wake
    }
    wake?()
  }

  /// Puts the piece that makes room for the next one into the file. False when that is not wanted or fails.
  private func keep() -> Bool {
    let (piece, start, isKept) = state.withLock { ($0.piece, $0.start, $0.isKept) }
    guard keeps, isKept, !piece.isEmpty else { return keeps && isKept }
    if file == nil { file = SpoolFile() }
    return file?.write(piece, at: start) ?? false
  }
}

extension BodyStream.State {
  /// Where the bytes at `offset` are.
  fileprivate mutating func find(_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> BodyStream.Found {
    if offset < start {
      guard isKept, let file else { return .answer(.failed) }
      guard let again, !isReadingAgain else {
        return isReadingAgain ? .answer(.wait) : .inFile(file, start - offset)
      }
      // What cannot be read is lost.
      if again.start == offset, again.bytes.isEmpty { return .answer(.failed) }
      guard (again.start..<(again.start + Int64(again.bytes.count))).contains(offset) else {
        return .inFile(file, start - offset)
      }
      let rest = again.bytes[Int(offset - again.start)...].prefix(buffer.count)
      unsafe buffer.copyBytes(from: rest)
      return .answer(.bytes(rest.count))
    }
    let first = Int(offset - start)
    let count = min(buffer.count, piece.count - first)
    if count > 0 {
      unsafe buffer.copyBytes(from: piece[first..<(first + count)])
      return .answer(.bytes(count))
    }
    if hasFailed { return .answer(.failed) }
    if isAtEnd { return .answer(.end) }
    guard !isReading else { return .answer(.wait) }
    isReading = true
    return .refill
  }

  /// The next piece takes the place of the one before, which went into `file`, or is lost.
  fileprivate mutating func advance(to next: [UInt8], file: SpoolFile?) {
    if !piece.isEmpty {
      isKept = isKept && file != nil
      self.file = isKept ? file : nil
    }
    start += Int64(piece.count)
    piece = next
  }
}
