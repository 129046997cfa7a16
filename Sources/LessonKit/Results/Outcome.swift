// SPDX-License-Identifier: Apache-2.0

/// How an example's job ended.
public struct Outcome: Codable, Sendable, Hashable {
  /// The ways to end.
  public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
    /// The program ended by itself and its job, if it loaded anything, succeeded.
    case finished
    /// The program ended by itself and its job failed, or it exited with a status other than 0.
    case failed
    /// The program ended by itself after it had cancelled the job's last load.
    case cancelled
    /// The program ended by itself while a load of its job was still without an end.
    case noEnd
    /// The time limit ended it.
    case timedOut
    /// A signal ended it.
    case crashed
    /// The compiler refused it, so nothing ran.
    case notCompiled
  }

  /// An error as the API reported it.
  public struct Failure: Codable, Sendable, Hashable {
    /// The error's domain, such as `NSURLErrorDomain`.
    public var domain: String
    /// The error's code in its domain.
    public var code: Int
    /// The code's symbolic name, such as `NSURLErrorTimedOut`; empty where it has none that we know.
    public var name: String

    /// An error as given.
    public init(domain: String, code: Int, name: String) {
      self.domain = domain
      self.code = code
      self.name = name
    }

    /// True if it is NSURLErrorCancelled: the program wanted it so.
    var isCancellation: Bool { domain == "NSURLErrorDomain" && code == -999 }

    /// The symbolic name, or domain and code where there is none.
    public var words: String { name.isEmpty ? "\(domain) \(code)" : name }
  }

  /// How it ended.
  public var kind: Kind
  /// Body bytes its callbacks were given, of all loads together.
  public var bytes: Int
  /// The last HTTP status: that of the last response the delegate received; where it has no such call
  /// and the job finished or was given bytes, that of the server's last answer. 0 when no response came.
  public var status: Int
  /// The error that ended the job, or nil.
  public var error: Failure?
  /// The reason: what was waited for, what signal came, or what went wrong; empty when nothing did.
  public var why: Phrase

  /// An outcome as given.
  public init(
    kind: Kind, bytes: Int = 0, status: Int = 0, error: Failure? = nil, why: Phrase = .empty
  ) {
    self.kind = kind
    self.bytes = bytes
    self.status = status
    self.error = error
    self.why = why
  }

  private enum CodingKeys: String, CodingKey {
    case kind, bytes, status, error, why
  }

  /// Writes the outcome; an absent error is an explicit `null`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(kind, forKey: .kind)
    try object.encode(bytes, forKey: .bytes)
    try object.encode(status, forKey: .status)
    try object.encode(error, forKey: .error)
    try object.encode(why, forKey: .why)
  }
}

extension Outcome {
  /// How it ended and why, as the end of a sentence.
  public var sentence: Phrase {
    let reason = why.isEmpty ? error.map { Phrase(verbatim: $0.words) } ?? .empty : why
    return reason.isEmpty ? kind.words : "\(kind.words): \(reason)"
  }
}

extension Outcome.Kind {
  /// The kind as the end of a sentence.
  public var words: Phrase {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "was cancelled"
    case .noEnd: "came to no end"
    case .timedOut: "ran into the time limit"
    case .crashed: "crashed"
    case .notCompiled: "does not compile"
    }
  }
}

/// How one load of an example ended.
public struct LoadResult: Codable, Sendable, Hashable {
  /// The load's number in its example, from 1, in the order of their first events.
  public var number: Int
  /// Its own end: `finished`, `failed`, `cancelled`, or `noEnd`.
  public var kind: Outcome.Kind
  /// The last HTTP status, 0 when no response came.
  public var status: Int
  /// Body bytes its callbacks were given.
  public var bytes: Int
  /// True if those bytes are the server's, all of them and no others; nil where the runner has no reference.
  public var isWhole: Bool?
  /// The error of its end, or nil.
  public var error: Outcome.Failure?
  /// When its first event came.
  public var began: Double
  /// When its connection was there, in seconds since the example's start; nil where it never was, and in reports of former
  /// versions.
  public var connected: Double?
  /// When the head of its answer had come, nil as above.
  public var answered: Double?
  /// When its end was told or it was cancelled; nil where neither came.
  public var ended: Double?

  /// A result as given.
  public init(
    number: Int, kind: Outcome.Kind, status: Int = 0, bytes: Int = 0, isWhole: Bool? = nil,
    error: Outcome.Failure? = nil, began: Double = 0, ended: Double? = nil
  ) {
    self.number = number
    self.kind = kind
    self.status = status
    self.bytes = bytes
    self.isWhole = isWhole
    self.error = error
    self.began = began
    self.ended = ended
  }
}
