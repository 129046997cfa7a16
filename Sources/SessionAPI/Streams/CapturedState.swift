// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Why a captured side cannot be used, where its task had failed before.
struct CapturedErrors {
  var read: URLError?
  var write: URLError?
}

/// The state of a `CapturedConnection`: bytes in both directions and their ends. Without a lock of its own.
struct CapturedState {
  /// The facts that a stream can know of its side.
  struct Facts {
    /// Bytes that wait to be read, or for which there is room.
    var count = 0
    /// True if nothing comes behind them.
    var isOver = false
    var error: URLError?
  }

  enum Finish {
    case nothing, now, later
  }

  private var pieces: [[UInt8]] = []
  /// Bytes of the first piece that were read.
  private var offset = 0
  private var waitingCount = 0
  var isInputOver: Bool
  private var readError: URLError?
  private var isInputClosed = false
  /// True if the load was asked to pause.
  private(set) var isHeld: Bool

  private var outbox: [[UInt8]] = []
  private var written: Int64
  /// Bytes that the system has taken, those of the task included.
  var taken: Int64
  private var isOutputOver: Bool
  private var writeError: URLError?
  private var isOutputClosed = false
  private var isEndSent = false
  private var hasLoadEnded = false
  private var bodyError: URLError?
  private var isFinishing = false
  private var isWaitingToFinish = false

  private var waiting: [StreamSide: [DispatchSemaphore]] = [:]
  var watchers: [StreamSide: @Sendable () -> Void] = [:]

  init(_ captured: StreamMachine.Captured, _ errors: CapturedErrors, isHeld: Bool) {
    isInputOver = captured.isInputOver
    isOutputOver = captured.isOutputOver
    (written, taken) = (captured.written, captured.written)
    (readError, writeError) = (errors.read, errors.write)
    self.isHeld = isHeld
    if !captured.rest.isEmpty { put(Array(captured.rest)) }
  }

  func facts(of side: StreamSide) -> Facts {
    switch side {
    case .read: Facts(count: waitingCount, isOver: isInputOver, error: waitingCount == 0 ? readError : nil)
    case .write: Facts(count: room, isOver: isOutputOver, error: writeError)
    }
  }

  // MARK: Input

  /// Small pieces are joined, so that there are few.
  private mutating func put(_ bytes: [UInt8]) {
    if let last = pieces.indices.last, pieces[last].count < 4096 {
      pieces[last] += bytes
    } else {
      pieces.append(bytes)
    }
    waitingCount += bytes.count
  }

  /// Bytes arrived; those that will not be read are dropped. False when no more are wanted for now.
  mutating func arrived(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !isInputClosed, readError == nil, !isInputOver else { return true }
    unsafe put(Array(bytes))
    isHeld = waitingCount >= CapturedConnection.limit
    return !isHeld
  }

  /// Reads the bytes at hand and returns their count, or nil when the read has to wait for `news`; and whether more is wanted
  /// now.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, or news: DispatchSemaphore
  ) -> (count: Int?, wantsMore: Bool) {
    if isInputClosed { return (-1, false) }
    guard waitingCount > 0 else {
      if readError != nil { return (-1, false) }
      if isInputOver { return (0, false) }
      waiting[.read, default: []].append(news)
      return (nil, false)
    }
    var filled = 0
    while filled < buffer.count, let first = pieces.first {
      let count = min(buffer.count - filled, first.count - offset)
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
        .copyBytes(from: first[offset..<(offset + count)])
      filled += count
      offset += count
      if offset == first.count {
        pieces.removeFirst()
        offset = 0
      }
    }
    waitingCount -= filled
    return (filled, isHeld && waitingCount < CapturedConnection.limit / 2)
  }

  /// True if the load was held and may continue.
  mutating func isRelieved() -> Bool {
    guard isHeld, waitingCount < CapturedConnection.limit / 2 else { return false }
    isHeld = false
    return true
  }

  // MARK: Output

  private var room: Int {
    guard writeError == nil, !isOutputOver, !isOutputClosed else { return 0 }
    return max(0, CapturedConnection.limit - Int(written - taken))
  }

  /// How many bytes a write gets rid of, or nil when it has to wait for `news`; and whether they have to be fetched.
  mutating func write(_ bytes: UnsafeRawBufferPointer, or news: DispatchSemaphore) -> (count: Int?, isFirst: Bool) {
    if writeError != nil || isOutputOver || isOutputClosed { return (-1, false) }
    let count = min(room, bytes.count)
    guard count > 0 else {
      waiting[.write, default: []].append(news)
      return (nil, false)
    }
    unsafe outbox.append(Array(bytes[..<count]))
    written += Int64(count)
    return (count, outbox.count == 1)
  }

  /// Takes the bytes that are to be sent, and tells if our direction ends behind them.
  mutating func takeOutbox() -> (bytes: [[UInt8]], isLast: Bool) {
    defer { outbox = [] }
    guard isOutputClosed, !isEndSent, writeError == nil, !isOutputOver else { return (outbox, false) }
    isEndSent = true
    return (outbox, true)
  }

  // MARK: Ends

  /// False when it was closed before.
  mutating func close(_ side: StreamSide) -> Bool {
    switch side {
    case .read:
      guard !isInputClosed else { return false }
      isInputClosed = true
      (pieces, offset, waitingCount) = ([], 0, 0)
    case .write:
      guard !isOutputClosed else { return false }
      isOutputClosed = true
    }
    return true
  }

  /// The load has ended, and everything has arrived.
  mutating func ended(_ error: URLError?) {
    hasLoadEnded = true
    if let error, !isInputOver { readError = readError ?? error }
    if error == nil { isInputOver = true }
    if let error, !isOutputOver { writeError = writeError ?? error }
    outbox = []
  }

  /// The load has ended, and bytes of its body may still wait there.
  mutating func bodyEnded(_ error: URLError?) {
    hasLoadEnded = true
    bodyError = error
  }

  /// Nothing waits in a load that has ended.
  mutating func bodyTaken() {
    if hasLoadEnded, !isHeld { ended(bodyError) }
  }

  mutating func whatToFinish() -> Finish {
    guard isInputClosed, isOutputClosed, !isFinishing else { return .nothing }
    if hasLoadEnded || writeError != nil || isOutputOver || taken >= written {
      isFinishing = true
      return .now
    }
    guard !isWaitingToFinish else { return .nothing }
    isWaitingToFinish = true
    return .later
  }

  /// The calls that wait for news of this side, and its watcher.
  mutating func takeWaiting(_ side: StreamSide) -> (waiting: [DispatchSemaphore], watcher: (@Sendable () -> Void)?) {
    (waiting.removeValue(forKey: side) ?? [], watchers[side])
  }
}
