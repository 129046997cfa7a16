// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
public import LessonKit
public import Pitfalls
import Recorder
import Timeline

/// What one process that links the libraries did.
public struct ProcessResult: Codable, Sendable, Hashable {
  /// Its number.
  public var process: Int32
  /// Its command line.
  public var command: String
  /// Its loads, the first 2,000 of them.
  public var loads: [LoadRow] = []
  /// How many more loads there were.
  public var unshown = 0
  /// The most resident bytes, and all of the curve.
  public var memory = MemoryUse()
  /// The most threads it had at once.
  public var threads = 0
  /// The longest time in seconds that a callback for the main thread waited.
  public var longestMainWait = 0.0
  /// Sessions that were made and never told to become invalid.
  public var sessionsLeft = 0
  /// Every kind of callback, in the order of its first appearance.
  public var callbacks: [CallbackCount] = []
  /// When callbacks came, thinned out where very many did.
  public var ticks: [CallbackTick] = []
  /// What it fell into, the worst first.
  public var pitfalls: [PitfallSeen] = []
  /// What it fell into and is to be ignored.
  public var ignored: [Ignored] = []
  /// Events that found no room on their way here.
  public var lost = 0
  /// True if it sent what no recorder writes; nothing was read after that.
  public var sentNonsense = false
  /// True if it ended in order; else it was killed, crashed, executed another program, or was still there.
  public var endedInOrder = false
  /// When the recording began, in seconds since the command's start.
  public var began = 0.0
  /// When the recording ended, in seconds since the command's start.
  public var ended = 0.0
}

extension ProcessResult {
  /// A pitfall that stays, and why.
  public struct Ignored: Codable, Sendable, Hashable {
    /// Where it was found.
    public var seen: PitfallSeen
    /// The reason that a person gave; empty where it was ignored by an option.
    public var reason: String
  }
}

/// A process while it is measured: reads its ring.
final class MeasuredProcess {
  let link: Int32
  let process: Int32
  /// Can be read when the process has ended; -1 where the kernel has no such thing.
  private let life: Int32
  private var isLinked = true
  /// How many sessions are remembered.
  private static let most = 1 << 16

  private let ring: EventRing
  private var rows: LoadRows
  private var table = PitfallTable()
  private var sum = PitfallSum()
  private var tallies = CallbackTallies()
  /// Loads whose handler was told its body: that and the end are one call.
  private var handled: Set<UInt64> = []
  private var gauge: ProcessGauge
  private var result: ProcessResult
  private var sessions: Set<UInt64> = []
  private var lastInstant: Int64 = 0

  /// Takes a process that has connected, and passes it a ring; nil where that fails.
  init?(_ link: Int32, at instant: Double, showsQueries: Bool) {
    let file = workbench_ring_file()
    var (user, process) = (uid_t(0), pid_t(0))
    guard file >= 0, let ring = EventRing(file: file), workbench_peer(link, &user, &process) == 0, user == geteuid(),
      workbench_send_descriptor(link, file) == 0
    else {
      if file >= 0 { close(file) }
      close(link)
      return nil
    }
    close(file)
    (self.link, self.process, self.ring) = (link, process, ring)
    life = process > 0 ? workbench_process_descriptor(process) : -1
    rows = LoadRows(showsQueries: showsQueries)
    gauge = ProcessGauge(process)
    gauge.sample(at: 0)
    result = ProcessResult(process: process, command: ShownText.of(gauge.command, showsQueries: showsQueries))
    result.began = instant
  }

  /// What `poll` waits for: its end, and that of its socket.
  var awaited: [pollfd] {
    [
      pollfd(fd: isLinked ? link : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: life, events: Int16(POLLIN), revents: 0),
    ]
  }

  /// True if the process has ended, as `poll` reports for its descriptors. A closed socket alone does not prove it: a daemon
  /// closes all its descriptors and goes on. A program that executes another has lost its ring, and no recorder writes to the
  /// socket.
  func hasEnded(_ found: ArraySlice<pollfd>) -> Bool {
    if found.last.map({ $0.revents != 0 }) ?? false { return true }
    guard found.first.map({ $0.revents != 0 }) ?? false else { return false }
    takeNonsense()
    if result.sentNonsense { return true }
    isLinked = false
    return life < 0 || !gauge.maps("memfd:workbench-ring")
  }

  /// Looks for bytes on the socket, to which no recorder writes.
  private func takeNonsense() {
    var byte: UInt8 = 0
    if recv(link, &byte, 1, Int32(MSG_DONTWAIT)) > 0 { result.sentNonsense = true }
  }

  /// Takes a sample of its memory.
  func sample(at instant: Double) { gauge.sample(at: instant - result.began) }

  /// Reads what has come, at most so many events.
  func read(atMost limit: Int = 50_000) {
    for _ in 0..<limit {
      guard !result.sentNonsense, let found = ring.take() else { break }
      switch found {
      case .event(let event): take(event)
      case .ending(let instant):
        gauge.sample(at: Double(instant) / 1e9)
        result.endedInOrder = true
        sum.add(table.end(at: instant))
      case .gap(_, let newest): lose(upTo: newest)
      case .nonsense: result.sentNonsense = true
      }
    }
    sum.add(table.pass(to: lastInstant))
  }

  /// Events are missing: what was waited for may have come.
  private func lose(upTo newest: UInt64) {
    table.lose(upTo: newest)
    rows.lose()
    (sessions, handled) = ([], [])
  }

  private func take(_ event: ProgramEvent) {
    lastInstant = max(lastInstant, event.instant)
    rows.take(event)
    sum.add(table.take(event))
    switch event.kind {
    case .step(.sessionMade): if sessions.count < Self.most { sessions.insert(event.subject) }
    case .callback(let name, let detail): count(name, detail, event)
    case .leftOut(let name, let detail): tallies.leaveOut(name, detail)
    case .step(.letGo), .cancelled: handled.remove(event.subject)
    case .step(.sessionInvalidated): sessions.remove(event.subject)
    default: break
    }
  }

  private func count(_ name: String, _ detail: String, _ event: ProgramEvent) {
    if detail == "end", handled.remove(event.subject) != nil { return }
    if detail.isEmpty, !name.contains(":didReceive") { handled.insert(event.subject) }
    tallies.add(
      name, detail == "end" ? "" : detail, at: Double(event.instant) / 1e9, event.place, count: event.count)
  }

  /// What was measured, when it has ended or is left.
  func finish(at instant: Double) -> ProcessResult {
    read(atMost: 1 << 20)
    // What came since the last look; the program may have ended right behind it.
    if isLinked { takeNonsense() }
    ring.leave()
    close(link)
    if life >= 0 { close(life) }
    (result.loads, result.unshown) = (rows.rows, rows.unshown)
    result.memory = MemoryUse(
      baseline: gauge.curve.first?.bytes ?? 0, peak: gauge.peak,
      growth: max(0, gauge.peak - (gauge.curve.first?.bytes ?? 0)), curve: gauge.curve)
    result.threads = gauge.threads
    result.longestMainWait = rows.longestMainWait
    (result.callbacks, result.ticks) = (tallies.counts, tallies.ticks)
    result.pitfalls = sum.seen
    (result.sessionsLeft, result.lost, result.ended) = (sessions.count, ring.dropped, instant)
    return result
  }
}
