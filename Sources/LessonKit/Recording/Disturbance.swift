// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// How far other work kept the machine from a program while it ran. What a time says about a claim depends on it.
public struct Disturbance: Sendable, Hashable {
  /// The share of the machine's processor time that other programs had, or that its host did not give; from 0 to 1.
  public var others: Double
  /// The longest time by which a thread that wanted to run came late, in seconds.
  public var latest: Double

  /// A disturbance as given; without figures, none.
  public init(others: Double = 0, latest: Double = 0) {
    (self.others, self.latest) = (others, latest)
  }

  /// True if times that were measured meanwhile say more about the machine than about the program: a quarter of the processors,
  /// or 20 ms, which is what the narrowest bound of a claim leaves.
  public var isBusy: Bool { others >= 0.25 || latest >= 0.02 }

  /// What it was, for a reader who finds a claim not settled.
  var words: Phrase {
    let (share, wait) = (Int((others * 100).rounded()), Int((latest * 1000).rounded()))
    return
      "The machine was busy: other programs had \(share)\u{A0}% of its processors, and a thread that wanted to run waited "
      + "up to \(wait)\u{A0}ms. Times that were measured then settle nothing."
  }
}

/// Measures the share of others while one example runs: what the kernel counted for all processors, without what it counted
/// for the example, its server and the runner.
struct DisturbanceMeter {
  private let server: pid_t
  private let began = ContinuousClock.now
  private let before: (all: Double, own: Double)

  /// A meter that starts now, for an example whose server is this process.
  init(server: pid_t) {
    self.server = server
    before = (Self.all(), Self.own(server))
  }

  /// The disturbance from the meter's start until now, for a child that has used `usage` and came late by `latest` seconds.
  func disturbance(of usage: ProcessUsage?, latest: Double) -> Disturbance {
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    let processors = Double(max(1, ProcessInfo.processInfo.activeProcessorCount))
    let others = Self.all() - before.all - (Self.own(server) - before.own) - (usage?.cpu ?? 0)
    return Disturbance(others: min(1, max(0, others / max(0.01, elapsed * processors))), latest: latest)
  }

  /// Seconds for all programs (`user`, `nice`, `system`) and what the host kept (`steal`). Interrupts are left out: those of
  /// loopback are the example's own.
  private static func all() -> Double {
    let fields = fields(of: "/proc/stat", after: "cpu ")
    return [0, 1, 2, 7].reduce(0) { $0 + (fields.indices.contains($1) ? fields[$1] : 0) } / ticks
  }

  private static func own(_ server: pid_t) -> Double {
    let fields = fields(of: "/proc/\(server)/stat", after: ") ")
    let served = fields.count > 12 ? (fields[11] + fields[12]) / ticks : 0
    return ProcessUsage.ofProcess().cpu + served
  }

  /// The numbers of the first line behind `mark`; what is no number counts 0.
  private static func fields(of path: String, after mark: String) -> [Double] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let start = text.range(of: mark)?.upperBound
    else { return [] }
    return text[start...].prefix { $0 != "\n" }.split(separator: " ").map { Double($0) ?? 0 }
  }

  private static var ticks: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }
}
