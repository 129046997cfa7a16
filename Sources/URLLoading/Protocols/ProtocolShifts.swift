// SPDX-License-Identifier: Apache-2.0

/// Which thread takes the calls of protocols: what waits, and who is busy. Pure.
struct ProtocolShifts<Call> {
  /// The step that follows when calls may have waited too long.
  enum Next: Equatable {
    /// Nothing waits: no need to look again.
    case rest
    case wait
    /// The thread of this number takes the calls over; where it is the first number without a thread, a new one.
    case turn(to: Int)
  }

  private struct Seat {
    /// Calls for this thread alone.
    var own: [Call] = []
    /// How many calls are under way, one within another where a call runs the loop.
    var depth = 0
  }

  /// So many at the most.
  static var limit: Int { 64 }

  private var seats = [Seat()]
  /// The one that takes what waits.
  private(set) var current = 0
  private var waiting: [Call] = []
  /// How many calls were ever taken from those that wait.
  private(set) var begun = 0
  private var isWatched = false

  /// Queues a call that any thread may run. Returns the number of the thread that takes it, and whether the caller has to start
  /// the timer that moves waiting calls to another thread.
  mutating func add(_ call: Call) -> (number: Int, watches: Bool) {
    waiting.append(call)
    let watches = !isWatched && (seats[current].depth > 0 || waiting.count > 1)
    isWatched = isWatched || watches
    return (current, watches)
  }

  /// The call that was added last has no thread.
  mutating func takeBack() { _ = waiting.popLast() }

  /// A call for one thread.
  mutating func add(_ call: Call, for number: Int) { seats[number].own.append(call) }

  /// True if the thread has something to do.
  func hasCall(for number: Int) -> Bool { !seats[number].own.isEmpty || number == current && !waiting.isEmpty }

  /// The thread has a turn. A new one may run before it is the one that takes calls.
  mutating func next(_ number: Int) -> Call? {
    guard number < seats.count else { return nil }
    if !seats[number].own.isEmpty {
      seats[number].depth += 1
      return seats[number].own.removeFirst()
    }
    guard number == current, !waiting.isEmpty else { return nil }
    seats[number].depth += 1
    begun += 1
    return waiting.removeFirst()
  }

  /// A call of the thread has returned.
  mutating func ended(_ number: Int) { seats[number].depth -= 1 }

  /// A while has passed since so many calls had begun.
  mutating func next(after earlier: Int) -> Next {
    guard !waiting.isEmpty else {
      isWatched = false
      return .rest
    }
    guard begun == earlier, seats[current].depth > 0 else { return .wait }
    if let free = seats.firstIndex(where: { $0.depth == 0 }) { return .turn(to: free) }
    return seats.count < Self.limit ? .turn(to: seats.count) : .wait
  }

  /// The thread is there, and takes the calls.
  mutating func turn(to number: Int) {
    if number == seats.count { seats.append(Seat()) }
    current = number
  }
}
