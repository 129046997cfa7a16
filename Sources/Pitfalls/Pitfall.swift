// SPDX-License-Identifier: Apache-2.0

/// A documented mistake with the two APIs that can be seen in what a program does.
public enum Pitfall: String, Sendable, Hashable, CaseIterable, Codable {
  case neverResumed = "never-resumed"
  case neverStarted = "never-started"
  case blocksMain = "blocks-main"
  case waitsForItself = "waits-for-itself"
  case lateOnMain = "late-on-main"
  case slowCallback = "slow-callback"
  case wholeBodyInMemory = "whole-body-in-memory"
  case errorUnheard = "error-unheard"
  case endUnheard = "end-unheard"
  case queueAfterStart = "queue-after-start"
  case fileLeft = "file-left"
  case modeStarved = "mode-starved"
  case scheduledAfterStart = "scheduled-after-start"
  case noRunLoop = "no-run-loop"
  case threadALoad = "thread-a-load"
  case errorAsSuccess = "error-as-success"
  case credentialsToAnother = "credentials-to-another"
  case postBecameGet = "post-became-get"
  case streamCopied = "stream-copied"
  case sameCredential = "same-credential"
  case anyCertificate = "any-certificate"
  case passwordInClear = "password-in-clear"
  case cacheNeverAsked = "cache-never-asked"
  case sessionARequest = "session-a-request"
  case rangeUnchecked = "range-unchecked"
  case partsUnchecked = "parts-unchecked"
  case sessionKept = "session-kept"
  case configurationTooLate = "configuration-too-late"
  case suspendedToTheEnd = "suspended-to-the-end"

  /// How bad it is.
  public enum Grade: String, Sendable, Hashable, Codable, CaseIterable {
    /// It loses data, hangs, leaks credentials or never ends.
    case wrong
    /// It costs memory, time or connections.
    case costly
    /// It is right only if the program does something that cannot be seen from here.
    case look
  }
}

/// The catalogue's entry on a pitfall.
public struct PitfallEntry: Sendable, Hashable {
  /// How bad it is, where nothing in the finding lessens it.
  public var grade: Pitfall.Grade
  /// The number of the lesson that teaches it.
  public var lesson: Int
  /// The harm, in a sentence; `{}` stands for the figure.
  public var harm: String
  /// The harm where a finding lessens the grade to `look`; nil where that is the same.
  public var mildHarm: String?
  /// The cure, in a sentence.
  public var cure: String

  init(_ grade: Pitfall.Grade, lesson: Int, _ harm: String, cure: String, mild: String? = nil) {
    (self.grade, self.lesson, self.harm, self.cure, mildHarm) = (grade, lesson, harm, cure, mild)
  }

  /// Returns the harm in a finding of this grade.
  public func harm(_ grade: Pitfall.Grade) -> String { grade == .look ? mildHarm ?? harm : harm }

  /// Its sentences, which other languages translate.
  public var texts: [String] { [harm] + [mildHarm].compactMap(\.self) + [cure] }
}

/// One pitfall, found at one place of a program's run.
public struct PitfallFinding: Sendable, Hashable, Codable {
  /// The measured value, in the unit of its case.
  public enum Figure: Sendable, Hashable, Codable {
    case none
    case seconds(Double)
    case bytes(Int64)
    case count(Int)

    /// True if more was measured than in the other, of the same unit.
    func isMore(than other: Figure) -> Bool {
      switch (self, other) {
      case (.seconds(let one), .seconds(let two)): one > two
      case (.bytes(let one), .bytes(let two)): one > two
      case (.count(let one), .count(let two)): one > two
      default: false
      }
    }
  }

  /// Which pitfall.
  public var pitfall: Pitfall
  /// How bad it is here.
  public var grade: Pitfall.Grade
  /// The load, the session or the mailbox it happened to.
  public var subject: UInt64
  /// Seconds since the recording began.
  public var instant: Double
  /// The number of the thread.
  public var thread: Int
  /// The measured value.
  public var figure: Figure
  /// True if this is a finding that was told before, whose figure has grown.
  public var isUpdate = false

  /// A finding as given; `grade` nil for the catalogue's.
  public init(
    _ pitfall: Pitfall, subject: UInt64, at instant: Int64, thread: Int, figure: Figure = .none,
    grade: Pitfall.Grade? = nil
  ) {
    (self.pitfall, self.subject, self.thread, self.figure) = (pitfall, subject, thread, figure)
    self.grade = grade ?? pitfall.entry.grade
    self.instant = Double(instant) / 1e9
  }
}

extension PitfallFinding {
  /// The harm in a sentence, with the figure that was measured.
  public var harm: String { pitfall.entry.harm(grade).replacing("{}", with: figure.words) }
}

extension PitfallFinding.Figure {
  /// The figure in words, such as "0.4 s".
  public var words: String {
    switch self {
    case .none: ""
    case .seconds(let seconds): "\(Self.rounded(seconds * 100, by: 100)) s"
    case .bytes(let bytes) where bytes < 1 << 20: "\(bytes) B"
    case .bytes(let bytes): "\(Self.rounded(Double((bytes >> 10) * 10 / 1024), by: 10)) MiB"
    case .count(let count): "\(count)"
    }
  }
  private static func rounded(_ value: Double, by parts: Double) -> Double { value.rounded() / parts }
}
