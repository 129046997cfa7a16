// SPDX-License-Identifier: Apache-2.0
public import Timeline

/// One event of a program, as it may be kept and sent: what `TimelineRecorder` is lent, without the bytes.
public struct ProgramEvent: Sendable, Hashable {
  /// The data given to a callback.
  public enum Payload: Sendable, Hashable {
    case none
    /// So many bytes of a body.
    case bytes(Int64)
    /// A file with the whole body.
    case file
    /// A response: its HTTP status (0 where there is none), expected length in bytes (-1 when unknown) and media type.
    case response(status: Int, expectedLength: Int64, type: String?)
    /// Progress in bytes: this piece, the total so far, the expected total (-1 when unknown).
    case progress(piece: Int64, total: Int64, expected: Int64)
    /// An end with an error.
    case failure(domain: String, code: Int)
    /// An end without one.
    case success
  }

  /// Nanoseconds since the recording began.
  public var instant: Int64
  /// The load it happened to, or the mailbox of a session's callbacks; numbers count up within the process.
  public var subject: UInt64
  /// The kind of event.
  public var kind: TimelineEvent.Kind
  /// Where it happened.
  public var place: Place
  /// The data given to a callback.
  public var payload: Payload
  /// How many callbacks of this kind, one behind the other, it stands for: their bytes are given together.
  public var count = 1

  /// An event as given.
  public init(instant: Int64, subject: UInt64, kind: TimelineEvent.Kind, place: Place, payload: Payload = .none) {
    (self.instant, self.subject, self.kind, self.place, self.payload) = (instant, subject, kind, place, payload)
  }

  /// An event of this process, which a recording that began at `start` keeps.
  public init(_ event: TimelineEvent, _ payload: TimelineEvent.Payload, since start: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (event.instant - start).components
    self.init(
      instant: seconds * 1_000_000_000 + attoseconds / 1_000_000_000, subject: event.subject, kind: event.kind,
      place: event.place, payload: Payload(payload))
  }
}

extension ProgramEvent.Payload {
  /// The part of the lent payload that can be kept.
  public init(_ lent: TimelineEvent.Payload) {
    self =
      switch lent {
      case .none: .none
      case .bytes(let bytes): .bytes(Int64(bytes.count))
      case .file: .file
      case .response(let status, let length, let type): .response(status: status, expectedLength: length, type: type)
      case .progress(let piece, let total, let expected): .progress(piece: piece, total: total, expected: expected)
      case .failure(let domain, let code): .failure(domain: domain, code: code)
      case .success: .success
      }
  }
}
