// SPDX-License-Identifier: Apache-2.0

/// Finds one pitfall, or a few that are told apart by the same facts: events in, findings out. It has no clock, no lock and
/// no I/O; times are those of the events.
///
/// Its state is bounded by the loads and sessions that are alive.
protocol PitfallMachine: Sendable {
  init()
  /// Takes the next event of the program, in their order.
  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void)
  /// So much time has passed: `instant` is in nanoseconds since the recording began.
  mutating func pass(to instant: Int64, _ found: (PitfallFinding) -> Void)
  /// The program is about to end, in order.
  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void)
  /// Events are missing here: forgets what a missing event could have changed.
  mutating func lose()
}

extension PitfallMachine {
  mutating func pass(to instant: Int64, _ found: (PitfallFinding) -> Void) {}
  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void) {}
  mutating func lose() { self = Self() }

  /// How many things it remembers.
  fileprivate var remembered: Int {
    Mirror(reflecting: self).children.reduce(0) { $0 + (($1.value as? any Collection)?.count ?? 0) }
  }
}

/// All machines, side by side: what a program did goes in, and the pitfalls that it fell into come out.
public struct PitfallTable: Sendable {
  /// How many things the machines remember together; what alive loads need is far below.
  private static let room = 1 << 18
  private static let eventsACheck = 1 << 12

  private var machines: [any PitfallMachine]
  /// Of subjects up to this number events are missing, so that what did not happen to them is not known.
  private var incomplete: UInt64 = 0
  private var newest: UInt64 = 0
  private var untilCheck = Self.eventsACheck

  /// A table that has seen nothing yet.
  public init() {
    machines = [NeverResumed(), BlocksMain(), LateCallbacks(), UnheardEnd(), ToldAtOnce(), Parts(), TooMany()]
  }

  /// Takes the next event and answers what it shows.
  public mutating func take(_ event: ProgramEvent) -> [PitfallFinding] {
    newest = max(newest, event.subject)
    untilCheck -= 1
    if untilCheck == 0 {
      untilCheck = Self.eventsACheck
      if machines.reduce(0, { $0 + $1.remembered }) > Self.room { lose(upTo: newest) }
    }
    return all { $0.take(event, $1) }
  }

  /// Takes that so many nanoseconds have passed since the recording began.
  public mutating func pass(to instant: Int64) -> [PitfallFinding] {
    all { $0.pass(to: instant, $1) }
  }

  /// Takes the program's end.
  public mutating func end(at instant: Int64) -> [PitfallFinding] {
    all { $0.end(at: instant, $1) }
  }

  /// Takes that events are missing here. What the program made until then has numbers up to `newest`: that something did
  /// not happen to it is not said any more.
  public mutating func lose(upTo newest: UInt64) {
    incomplete = max(incomplete, newest)
    for index in machines.indices { machines[index].lose() }
  }

  private mutating func all(_ step: (inout any PitfallMachine, (PitfallFinding) -> Void) -> Void) -> [PitfallFinding] {
    var findings: [PitfallFinding] = []
    for index in machines.indices { step(&machines[index]) { findings.append($0) } }
    if incomplete > 0 { findings.removeAll { $0.subject <= incomplete && $0.pitfall.isAnAbsence } }
    return findings
  }
}

extension Pitfall {
  /// True if it is concluded from what did not happen.
  fileprivate var isAnAbsence: Bool {
    switch self {
    case .blocksMain, .wholeBodyInMemory, .queueAfterStart, .fileLeft, .scheduledAfterStart, .errorAsSuccess,
      .credentialsToAnother, .streamCopied, .sameCredential, .anyCertificate, .passwordInClear, .configurationTooLate:
      false
    default: true
    }
  }
}
