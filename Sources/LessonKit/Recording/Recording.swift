// SPDX-License-Identifier: Apache-2.0
public import Pitfalls

/// The recording of one example's timeline, in a form that stays small whatever the body.
public struct Recording: Codable, Sendable, Hashable {
  /// Callbacks of one kind that followed one another without another kind between them.
  public struct Stretch: Codable, Sendable, Hashable {
    /// The load it happened to.
    public var subject: UInt64
    /// The callback's kind: an index into `callbacks`.
    public var callback: Int
    /// How many came in a row.
    public var count: Int

    /// A stretch as given.
    public init(subject: UInt64, callback: Int, count: Int) {
      self.subject = subject
      self.callback = callback
      self.count = count
    }
  }

  /// Every kind of callback, in the order of its first appearance.
  public var callbacks: [CallbackCount] = []
  /// The order of all callbacks, run-length encoded.
  public var order: [Stretch] = []
  /// When callbacks came, thinned out where very many did.
  public var ticks: [CallbackTick] = []
  /// The bytes that callbacks gave, by time; nil in a recording that was not made by a recorder.
  public var flow: ByteFlow?
  /// The loads, in the order of their first event.
  public var loads: [LoadRecord] = []
  /// How often a callback of a load began while the one before was still being recorded. 0 when callbacks come one at
  /// a time.
  public var overlaps = 0
  /// Where callbacks were sent that had not run when the recording ended.
  public var waitingAt: String?
  /// Sentences that the APIs noted, such as a call without effect and why.
  public var notes: [String] = []
  /// The lines that the program printed, with time and thread.
  public var lines: [PrintedLine] = []
  /// The values that an exercise's program showed its user.
  public var shown: [ShownValue] = []
  /// The ends of threads that had printed a line, by their number.
  public var threadEnds: [Int: ThreadEnd] = [:]
  /// How often the program's threads other than the main one slept and were woken, the library's among them; nil when the
  /// program did not come to its end.
  public var otherWakeups: Int?
  /// How often the main thread slept and was woken from the program's start to its end, but by the instruments' beats; nil
  /// when the program did not come to its end.
  public var mainWakeups: Int?
  /// The stretch in which the person touched the screen, nil when it did not come to that.
  public var touch: Touch?

  /// The most bytes that were seen in files which the process had open and no folder named: private copies on disk.
  public var unnamedFileBytes = 0

  /// The pitfalls that the program fell into, the worst first.
  public var pitfalls: [PitfallSeen] = []

  /// An empty recording.
  public init() {}

  /// The first kind of callback with this name and detail.
  public func callback(_ name: String, _ detail: String = "") -> CallbackCount? {
    callbacks.first { $0.name == name && $0.detail == detail }
  }

  /// How many callbacks of this name and detail came.
  public func count(_ name: String, _ detail: String = "") -> Int { callback(name, detail)?.count ?? 0 }

  /// The order of one load's callbacks as names with details, each stretch once.
  public func sequence(of subject: UInt64) -> [String] {
    order.filter { $0.subject == subject }.map { stretch in
      let callback = callbacks[stretch.callback]
      return callback.detail.isEmpty ? callback.name : "\(callback.name) \(callback.detail)"
    }
  }

  /// Every place any callback came to.
  public var places: [PlaceCount] { callbacks.filter(\.implemented).flatMap(\.places) }
}

/// The record of what one load received.
public struct LoadRecord: Codable, Sendable, Hashable {
  /// A stage of the transfer with its instant in seconds.
  public struct Stage: Codable, Sendable, Hashable {
    /// The stage's name, as `TimelineEvent.TransferStage` spells it.
    public var name: String
    /// When it was reached for the first time.
    public var instant: Double
  }

  /// Progress as the API reported it.
  public struct Progress: Codable, Sendable, Hashable {
    /// How many reports came.
    public var count = 0
    /// The sum of all pieces in bytes.
    public var sumOfPieces: Int64 = 0
    /// The last total in bytes.
    public var lastTotal: Int64 = 0
    /// The expected total of the last report, -1 when unknown.
    public var expected: Int64 = -1
    /// True if a total ever differed from the sum of the pieces so far.
    public var wasInconsistent = false
    /// How often a total was smaller than the one before.
    public var falls = 0
    /// The total before the first fall; 0 where none fell.
    public var fellFrom: Int64 = 0
    /// The first total that was smaller than the one before; 0 where none was.
    public var fellTo: Int64 = 0
    /// True if a total ever fell.
    public var hasFallen: Bool { falls > 0 }

    /// No report yet.
    public init() {}
  }

  /// The load's number.
  public var subject: UInt64
  /// The thread of its first event: for a connection the one that started it.
  public var origin: PlaceCount.ThreadID
  /// The API that the program made it with; nil where that was not told.
  public var side: Side?
  /// The responses, in order: status and expected length.
  public var responses: [Response] = []
  /// How many callbacks carried body bytes.
  public var pieces = 0
  /// How many callbacks carried a file with the whole body.
  public var files = 0
  /// The bytes of all of them, or of the downloaded file.
  public var bytes: Int64 = 0
  /// The checksum of those bytes.
  public var checksum = ""
  /// Progress reports, nil when none came.
  public var progress: Progress?
  /// When its first event came, in seconds since the example's start.
  public var began: Double
  /// When its end was reported, nil when none was.
  public var endInstant: Double?
  /// When the program cancelled it, nil when it did not.
  public var cancelled: Double?
  /// How many ends were reported.
  public var ends = 0
  /// The error of the end, nil when it succeeded or has not come.
  public var failure: Outcome.Failure?
  /// The transfer's stages, each once.
  public var stages: [Stage] = []

  /// A response as the API reported it.
  public struct Response: Codable, Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The expected length in bytes, -1 when unknown.
    public var expectedLength: Int64
    /// The media type, such as `text/html`; nil where the response has none.
    public var type: String?
  }

  init(subject: UInt64, origin: PlaceCount.ThreadID, side: Side? = nil, began: Double) {
    self.subject = subject
    self.origin = origin
    self.side = side
    self.began = began
  }

  /// How it ended: `finished`, `failed`, `cancelled`, or `noEnd`. A connection reports no end after `cancel`.
  public var end: Outcome.Kind {
    if let failure { return failure.isCancellation ? .cancelled : .failed }
    if ends > 0 { return .finished }
    return cancelled == nil ? .noEnd : .cancelled
  }

  var hasBody: Bool { pieces + files > 0 }

  /// When the stage was reached, in seconds since the example's start.
  public func instant(of stage: String) -> Double? { stages.first { $0.name == stage }?.instant }
}
