// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The reading side of a stream task: bytes in, answers to reads out. Pure.
struct StreamReads {
  private struct Read {
    var number: Int
    var minimum: Int
    var maximum: Int
  }

  /// Bytes that wait for a read before the peer is held back; for a read that wants more there is room for more.
  static let limit = 256 * 1024

  /// A slice, whose first element goes without the others moving.
  private var waiting: ArraySlice<Read> = []
  /// Bytes that arrived and were not read.
  private(set) var input = Data()
  private var hasInputEnded = false
  private var isClosing = false
  private(set) var failure: StreamMachine.Failure?
  private var isEndReported = false
  /// True if the connection was lost after `input` had arrived.
  private var isLost = false
  private var isHeld = false

  /// True if the side is closed: the end was read, the user closed it after its last read, or it failed.
  var isDone: Bool { isEndReported || failure != nil || isClosing && waiting.isEmpty }

  /// True if a read waits.
  var isAwaited: Bool { !waiting.isEmpty }

  /// True if the connection is lost and the client can read bytes that arrived before.
  var hasUnread: Bool { isLost && failure == nil }

  /// True if nothing comes behind `input`: the peer has ended, or the user closed this side.
  var isOver: Bool { hasInputEnded || isClosing }

  /// At least `minimum` and at most `maximum` bytes are wanted, or what is left before the end.
  mutating func read(_ number: Int, minimum: Int, maximum: Int) -> [StreamMachine.Action] {
    if let failure = failure ?? (isClosing ? .closed : nil) { return [.fail(number, failure)] }
    let maximum = max(1, maximum)
    waiting.append(Read(number: number, minimum: min(max(1, minimum), maximum), maximum: maximum))
    return serve() + (isLost && isAwaited ? fail(.ended) : [])
  }

  /// Bytes arrived. Those that will not be read are dropped, so that the peer's end is still seen.
  mutating func arrived(_ bytes: UnsafeRawBufferPointer) -> [StreamMachine.Action] {
    guard !isDone else { return [] }
    unsafe input.append(contentsOf: bytes)
    return serve()
  }

  /// The peer sends nothing more.
  mutating func ended() -> [StreamMachine.Action] {
    guard !hasInputEnded else { return [] }
    hasInputEnded = true
    return serve() + (isClosing ? [] : [.readClosed])
  }

  /// Nothing more will be read, after the reads that wait.
  mutating func close() -> [StreamMachine.Action] {
    guard !isClosing, failure == nil else { return [] }
    isClosing = true
    return drop() + (waiting.isEmpty && !hasInputEnded ? [.readClosed] : [])
  }

  /// Nothing can be read any more.
  mutating func fail(_ reason: StreamMachine.Failure) -> [StreamMachine.Action] {
    guard failure == nil else { return [] }
    failure = reason
    defer { waiting = [] }
    return waiting.map { .fail($0.number, reason) } + drop()
  }

  /// The connection was lost. Pending reads fail; later ones get the bytes of `input`, and then fail.
  mutating func lost() -> [StreamMachine.Action] {
    guard failure == nil, waiting.isEmpty, !isClosing, !isExhausted else { return fail(.ended) }
    isLost = true
    return []
  }

  /// True if the client has read all bytes, and the end of the stream where the peer sent it.
  private var isExhausted: Bool { input.isEmpty && (!hasInputEnded || isEndReported) }

  func isWaiting(_ number: Int) -> Bool { waiting.contains { $0.number == number } }

  /// Answers reads with what there is.
  private mutating func serve() -> [StreamMachine.Action] {
    var actions: [StreamMachine.Action] = []
    while let first = waiting.first, input.count >= first.minimum || hasInputEnded {
      let piece = Data(input.prefix(first.maximum))
      drop(piece.count)
      isEndReported = hasInputEnded && input.isEmpty
      actions.append(.read(first.number, piece, atEOF: isEndReported))
      waiting.removeFirst()
    }
    if isClosing, waiting.isEmpty, !actions.isEmpty { actions += drop() + (hasInputEnded ? [] : [.readClosed]) }
    if isLost, isExhausted { failure = .ended }
    return actions + holdOrResume()
  }

  /// A slice keeps the bytes before it in memory, and would grow with all that ever arrived; so it is copied once it keeps
  /// more than it shows.
  private mutating func drop(_ count: Int) {
    input = count == input.count ? Data() : input.dropFirst(count)
    if input.startIndex > max(Self.limit, input.count) { input = Data(input) }
  }

  /// Drops what will not be read.
  private mutating func drop() -> [StreamMachine.Action] {
    if isDone { input = Data() }
    return holdOrResume()
  }

  private mutating func holdOrResume() -> [StreamMachine.Action] {
    let isFull = input.count >= max(Self.limit, waiting.first?.minimum ?? 0)
    guard isFull != isHeld, !isLost else { return [] }
    isHeld = isFull
    return [isFull ? .hold : .resume]
  }
}
