// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Testing

@testable import Transport
@testable import URLLoading

/// The deadlines of loads that wait, with one look planned for all.
@Suite struct WatchedDeadlinesTests {
  private let now = ContinuousClock.now
  private let passed = Locked<[String]>([])

  /// Answers when a look is to be planned, as seconds from now.
  private func add(_ name: String, _ delay: Double, to watched: inout WatchedDeadlines) -> (UInt64, Double?) {
    let (number, look) = watched.add(now + .seconds(delay)) { [passed] in passed.withLock { $0.append(name) } }
    return (number, look.map { ($0 - now) / .seconds(1) })
  }

  /// The look that was planned for `planned`, at another time or just then; answers what passed and when to look again.
  private func look(_ planned: Double, at time: Double? = nil, _ watched: inout WatchedDeadlines) -> ([String], Double?)
  {
    let (due, next) = watched.look(of: now + .seconds(planned), now: now + .seconds(time ?? planned))
    for passed in due { passed() }
    let names = passed.withLock { names in
      defer { names = [] }
      return names
    }
    return (names, next.map { ($0 - now) / .seconds(1) })
  }

  @Test func `one look is planned for all, for the earliest`() {
    var watched = WatchedDeadlines()
    #expect(add("a", 5, to: &watched).1 == 5)
    #expect(add("b", 7, to: &watched).1 == nil)
    #expect(add("c", 2, to: &watched).1 == 2)
    var (names, next) = look(2, &watched)
    #expect(names == ["c"] && next == 5)
    // The look that was planned for the first deadline has been planned anew, so one of both plans the next.
    (names, next) = look(5, &watched)
    #expect(names == ["a"] && next == 7)
    (names, next) = look(5, &watched)
    #expect(names.isEmpty && next == nil)
    (names, next) = look(7, &watched)
    #expect(names == ["b"] && next == nil)
    #expect(add("d", 9, to: &watched).1 == 9)
  }

  @Test func `a load that waits no more hears nothing, and its look plans the next`() {
    var watched = WatchedDeadlines()
    let (number, planned) = add("a", 5, to: &watched)
    watched.remove(number)
    #expect(planned == 5 && add("b", 7, to: &watched).1 == nil)
    var (names, next) = look(5, &watched)
    #expect(names.isEmpty && next == 7)
    (names, next) = look(7, &watched)
    #expect(names == ["b"] && next == nil)
  }

  @Test func `a look that comes early is planned again, and late ones take all that is due`() {
    var watched = WatchedDeadlines()
    _ = add("a", 5, to: &watched)
    _ = add("b", 6, to: &watched)
    var (names, next) = look(5, at: 4.99, &watched)
    #expect(names.isEmpty && next == 5)
    (names, next) = look(5, at: 8, &watched)
    #expect(names == ["a", "b"] && next == nil)
  }

  @Test func `a deadline that passed before it was watched is due at once`() {
    var watched = WatchedDeadlines()
    #expect(add("a", -1, to: &watched).1 == -1)
    let (names, next) = look(-1, at: 0, &watched)
    #expect(names == ["a"] && next == nil)
  }

  @Test func `the alarm rings on the I/O thread, and not for a watch that was let go`() async throws {
    let rang = Locked<[String]>([])
    var dropped: DeadlineWatch? = DeadlineWatch(.now + .milliseconds(20)) { rang.withLock { $0.append("dropped") } }
    #expect(dropped != nil)
    dropped = nil
    let kept = Locked<DeadlineWatch?>(nil)
    let isOnThread = await withCheckedContinuation { done in
      let watch = DeadlineWatch(.now + .milliseconds(40)) { done.resume(returning: Transport.isOnThread) }
      kept.withLock { $0 = watch }
    }
    #expect(isOnThread && rang.withLock { $0.isEmpty })
    kept.withLock { $0 = nil }
  }
}
