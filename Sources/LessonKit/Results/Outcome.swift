// SPDX-License-Identifier: Apache-2.0

/// How an example ended.
public struct Outcome: Codable, Sendable, Hashable {
  /// The four ways to end.
  public enum Kind: String, Codable, Sendable, Hashable {
    /// The program ended by itself and its load, if it had one, succeeded.
    case finished
    /// The program ended by itself and its load failed, or it exited with a status other than 0.
    case failed
    /// The time limit ended it.
    case timedOut
    /// A signal ended it.
    case crashed
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
  }

  /// How it ended.
  public var kind: Kind
  /// Body bytes its callbacks were given.
  public var bytes: Int
  /// Whether those bytes are exactly the ones the server's generator makes.
  public var checksumOK: Bool
  /// The last HTTP status, 0 when no response came.
  public var status: Int
  /// The error, or nil.
  public var error: Failure?
  /// What was waited for, what signal came, or what went wrong; empty when nothing did.
  public var why: String

  /// An outcome as given.
  public init(
    kind: Kind, bytes: Int = 0, checksumOK: Bool = false, status: Int = 0, error: Failure? = nil, why: String = ""
  ) {
    self.kind = kind
    self.bytes = bytes
    self.checksumOK = checksumOK
    self.status = status
    self.error = error
    self.why = why
  }

  private enum CodingKeys: String, CodingKey {
    case kind, bytes, checksumOK, status, error, why
  }

  /// Writes the outcome; an absent error is an explicit `null`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(kind, forKey: .kind)
    try object.encode(bytes, forKey: .bytes)
    try object.encode(checksumOK, forKey: .checksumOK)
    try object.encode(status, forKey: .status)
    try object.encode(error, forKey: .error)
    try object.encode(why, forKey: .why)
  }
}
