// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The decisions of one stream task: events in, actions out.
///
/// Pure: no clock, lock or I/O. Calls of the user are known by their numbers, and each gets exactly one answer. Reads and
/// writes are answered in their order. A failure is final for its direction, and a time-out is one.
struct StreamMachine {
  /// An action that the driver has to perform.
  enum Action: Equatable {
    /// Send these bytes, after all before.
    case write([UInt8])
    /// End our direction after all that.
    case endSending
    /// The bytes of a write were given to the kernel.
    case wrote(Int)
    /// The bytes that a read wanted; before the end of the stream perhaps fewer, or none.
    case read(Int, Data, atEOF: Bool)
    /// The call comes to nothing.
    case fail(Int, Failure)
    /// Read nothing for now.
    case hold
    /// Read on.
    case resume
    /// Nothing more will be read: the user has closed this side, or the peer has ended.
    case readClosed
    /// Nothing more will be written.
    case writeClosed
    /// Speak TLS from here on; `secured()` says when that is so.
    case secure
    /// TLS cannot begin here: the task has to fail.
    case refuseSecurity
    /// Both sides are closed.
    case finish
    /// Streams take the connection over, and the machine gets no more of its events.
    case capture(Captured)
  }

  /// The state with which streams begin that take over.
  struct Captured: Equatable {
    /// Bytes that arrived and were not read.
    var rest = Data()
    /// True if nothing more will be read behind that: the peer has ended, or the user closed this side.
    var isInputOver = false
    /// Bytes that were written before.
    var written: Int64 = 0
    var isOutputOver = false
    var readFailure: Failure?
    var writeFailure: Failure?
  }

  /// Why a call failed.
  enum Failure: Error, Equatable {
    /// The user had closed this side.
    case closed
    /// It took too long.
    case timedOut
    /// The task has ended.
    case ended
    /// The streams were captured, or are about to be.
    case captured
  }

  private var reads = StreamReads()
  private var writes: [(end: Int64, number: Int)] = []
  /// The bytes that wait for the connection.
  private var early: [UInt8] = []
  private var ordered: Int64 = 0
  private var isOpen = false
  private var deferral = StreamDeferral()
  /// True if TLS can begin on such a stream at all.
  private let canBeSecured: Bool
  private var isCapturing = false
  private var isWriteClosing = false
  private var isWriteClosed = false
  private var writeFailure: Failure?
  private var hasFinished = false

  /// A machine for a connection, or for one on which nothing can be written from the beginning.
  init(isReadOnly: Bool = false) {
    isWriteClosing = isReadOnly
    canBeSecured = !isReadOnly
  }

  /// True if the connection is lost and the client can read bytes that arrived before.
  var hasUnread: Bool { reads.hasUnread }

  // MARK: - What the user wants

  /// At least `minimum` and at most `maximum` bytes are wanted, or what is left before the end.
  mutating func read(_ number: Int, minimum: Int, maximum: Int) -> [Action] {
    if deferral.keeps(.read(number, minimum: minimum, maximum: maximum)) { return [] }
    if isCapturing { return [.fail(number, .captured)] }
    return finishing(reads.read(number, minimum: minimum, maximum: maximum))
  }

  /// Bytes are to be written.
  mutating func write(_ number: Int, _ bytes: [UInt8]) -> [Action] {
    if deferral.keeps(.write(number, bytes)) { return [] }
    if isCapturing { return [.fail(number, .captured)] }
    if let failure = writeFailure ?? (isWriteClosing ? .closed : nil) { return [.fail(number, failure)] }
    if bytes.isEmpty, writes.isEmpty { return [.wrote(number)] }
    ordered += Int64(bytes.count)
    writes.append((ordered, number))
    guard isOpen else {
      early += bytes
      return []
    }
    return bytes.isEmpty ? [] : [.write(bytes)]
  }

  /// Nothing more will be read, after the reads that wait.
  mutating func closeRead() -> [Action] {
    deferral.keeps(.closeRead) || isCapturing ? [] : finishing(reads.close())
  }

  /// Nothing more will be written, after the writes that wait.
  mutating func closeWrite() -> [Action] {
    guard !deferral.keeps(.closeWrite), !isWriteClosing, !isCapturing, writeFailure == nil else { return [] }
    isWriteClosing = true
    return finishing((isOpen ? [.endSending] : []) + endOfWriting())
  }

  /// Streams shall take over, after the reads and writes that wait. A stream whose both sides are over ends as ever.
  mutating func capture() -> [Action] {
    guard !deferral.keeps(.capture), !isCapturing, !hasFinished else { return [] }
    isCapturing = true
    return finishing([])
  }

  /// TLS is wanted, after the reads and writes that wait; calls from now on wait for it. The body of a response is as it is.
  mutating func secure() -> [Action] {
    guard canBeSecured, !isCapturing, !hasFinished else { return [] }
    deferral.wanted()
    return finishing([])
  }

  /// The time for a call is over.
  mutating func timedOut(_ number: Int) -> [Action] {
    if reads.isWaiting(number) || deferral.isReadWaiting(number) { return finishing(failReads(.timedOut)) }
    guard writes.contains(where: { $0.number == number }) || deferral.isWriteWaiting(number) else { return [] }
    return finishing(failWrites(.timedOut))
  }

  // MARK: - Events of the connection

  /// The connection stands.
  mutating func opened() -> [Action] {
    isOpen = true
    defer { early = [] }
    return finishing((early.isEmpty ? [] : [.write(early)]) + (isWriteClosing ? [.endSending] : []) + endOfWriting())
  }

  /// All that follows goes over TLS.
  mutating func secured() -> [Action] {
    deferral.done().flatMap { perform($0) }
  }

  /// Bytes arrived.
  mutating func arrived(_ bytes: UnsafeRawBufferPointer) -> [Action] {
    unsafe finishing(reads.arrived(bytes))
  }

  /// The peer sends nothing more.
  mutating func inputEnded() -> [Action] {
    finishing(reads.ended())
  }

  /// So many bytes of those that were ordered have left.
  mutating func wrote(_ total: Int64) -> [Action] {
    let count = writes.prefix { $0.end <= total }.count
    let actions = writes[..<count].map { Action.wrote($0.number) }
    writes.removeFirst(count)
    return finishing(actions + endOfWriting())
  }

  /// The connection has ended. Every pending call fails; with `keepsInput` later reads get the bytes received before.
  mutating func ended(keepsInput: Bool = false) -> [Action] {
    hasFinished = true
    isWriteClosed = true
    let readActions = keepsInput ? reads.lost() + deferral.takeReads().map { .fail($0, .ended) } : failReads(.ended)
    let actions = failWrites(.ended) + readActions
    _ = deferral.done()
    return actions
  }

  // MARK: - What follows

  private mutating func perform(_ call: StreamDeferral.Call) -> [Action] {
    switch call {
    case .read(let number, let minimum, let maximum): read(number, minimum: minimum, maximum: maximum)
    case .write(let number, let bytes): write(number, bytes)
    case .closeRead: closeRead()
    case .closeWrite: closeWrite()
    case .capture: capture()
    }
  }

  private mutating func failReads(_ failure: Failure) -> [Action] {
    reads.fail(failure) + deferral.takeReads().map { .fail($0, reads.failure ?? failure) }
  }

  private mutating func failWrites(_ failure: Failure) -> [Action] {
    let failed = writes.map(\.number) + deferral.takeWrites()
    writes = []
    writeFailure = writeFailure ?? failure
    return failed.map { .fail($0, writeFailure ?? failure) }
  }

  private mutating func endOfWriting() -> [Action] {
    guard isOpen, isWriteClosing, writes.isEmpty, !isWriteClosed, writeFailure == nil else { return [] }
    isWriteClosed = true
    return [.writeClosed]
  }

  /// The actions, and the end where both sides have come to theirs, or streams take over.
  private mutating func finishing(_ actions: [Action]) -> [Action] {
    guard !hasFinished else { return actions }
    let isWriteOver = isWriteClosed || writeFailure != nil
    if reads.isDone, isWriteOver {
      hasFinished = true
      return actions + [.finish]
    }
    let isWaiting = !isOpen || reads.isAwaited || !writes.isEmpty
    if deferral.begins(unless: isWaiting) {
      let isPlain = reads.input.isEmpty && !reads.isOver && reads.failure == nil && !isWriteClosing && !isWriteOver
      return actions + [isPlain ? .secure : .refuseSecurity]
    }
    guard isCapturing, !isWaiting else { return actions }
    hasFinished = true
    let captured = Captured(
      rest: reads.input, isInputOver: reads.isOver, written: ordered, isOutputOver: isWriteClosed,
      readFailure: reads.failure, writeFailure: writeFailure)
    return actions + [.capture(captured)]
  }
}
