// SPDX-License-Identifier: Apache-2.0

/// One event of one load, with its instant and its place.
public struct TimelineEvent: Sendable {
  /// The kind of event.
  public enum Kind: Sendable, Hashable {
    /// A delegate method or completion handler is about to run. The name is Apple's, with its labels, such as
    /// `connection(_:didReceive:)`; where several share one, `detail` distinguishes them (`response`, `data`).
    case callback(name: String, detail: String)
    /// The callback that was announced last under this name had no method to run: the delegate leaves it out.
    case leftOut(name: String, detail: String)
    /// The program cancelled the load, here and now.
    case cancelled
    /// A callback waits to run at `destination`, a phrase such as "thread 5 in mode default". Told where that lasts, with the
    /// instant at which it began.
    case enqueued(destination: String)
    /// A transfer changed its state.
    case transfer(TransferStage)
    /// A sentence for a person, such as a call that had no effect and why.
    case note(String)
    /// The program did something, or the load met something, that no callback tells.
    case step(ProgramStep)
    /// A callback of those that wait for `destination` begins to run on this thread. Told where it had waited, or runs, for
    /// some 50 ms and more, also later than what it did.
    case taken(destination: String)
    /// The callback that was taken on this thread has returned, and whether others of its mailbox waited for it.
    case returned(othersWaited: Bool)
    /// Callbacks still wait for this thread (0 while it is not known), and this is what it does. Told by a recorder's own
    /// thread.
    case waiting(thread: Int, ThreadState)

    /// The place of an event of this kind that happens here. Queue and run-loop mode cost a microsecond.
    var place: Place {
      switch self {
      case .callback, .leftOut, .step(.made), .step(.started): .ofCallback()
      case .cancelled, .note, .taken: .current()
      default: .of(thread: ThreadNumber.current)
      }
    }
  }

  /// The state of a thread that callbacks wait for.
  public enum ThreadState: UInt8, Sendable, Hashable, CaseIterable {
    /// Its run loop does not run.
    case idle
    /// The thread itself waits for a lock or a semaphore since the last look.
    case blocked
    /// Its run loop runs in a mode in which it brings these callbacks.
    case serving
    /// Its run loop runs in another mode.
    case elsewhere
  }

  /// The states of a transfer, in the order a plain one goes through them.
  public enum TransferStage: String, Sendable, Hashable, CaseIterable {
    case created, started, connected, requestSent, headReceived, paused, resumed, ended
  }

  /// The data given to a callback, lent for the duration of `TimelineRecorder.record(_:payload:)` only.
  ///
  /// Safe to hold: only reading through the pointer is not, and is marked where it happens.
  @safe
  public enum Payload {
    /// Nothing that is recorded.
    case none
    /// Body bytes, in the order of the body.
    case bytes(UnsafeRawBufferPointer)
    /// The path of a file that holds the whole body, readable during the call.
    case file(path: String)
    /// A response: its HTTP status (0 where there is none), expected length in bytes (-1 when unknown) and media type.
    case response(status: Int, expectedLength: Int64, type: String? = nil)
    /// Progress of a transfer in bytes: this piece, the total so far, the expected total (-1 when unknown).
    case progress(piece: Int64, total: Int64, expected: Int64)
    /// An end with an error.
    case failure(domain: String, code: Int)
    /// An end without one.
    case success
  }

  /// When it happened.
  public var instant: ContinuousClock.Instant
  /// The load it happened to; numbers count up within the process.
  public var subject: UInt64
  /// The kind of event.
  public var kind: Kind
  /// Where it happened.
  public var place: Place

  /// An event as given; `Timeline.emit` makes the real ones.
  public init(instant: ContinuousClock.Instant, subject: UInt64, kind: Kind, place: Place) {
    self.instant = instant
    self.subject = subject
    self.kind = kind
    self.place = place
  }
}

/// Receives every event while it is installed.
public protocol TimelineRecorder: AnyObject, Sendable {
  /// Called on the thread where the event happened, before the callback it announces runs. It must not block.
  func record(_ event: TimelineEvent, payload: TimelineEvent.Payload)
}
