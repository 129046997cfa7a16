// SPDX-License-Identifier: Apache-2.0

/// What can go wrong around an example: the lesson that is not there, the machine that lacks something.
public struct LessonKitError: Error, CustomStringConvertible, Sendable {
  /// What kind of trouble it is.
  public enum Code: Sendable, Hashable {
    /// No lesson or example has that name.
    case unknownName
    /// A file cannot be read, or is not what it should be.
    case unreadable
    /// The machine or its user's rights lack something; the description names the cure.
    case environment
    /// A claim lacks a measurement that it is settled from.
    case notMeasured
    /// The lesson server's process ended or answered something unreadable.
    case serverLost
  }

  /// What kind of trouble it is.
  public let code: Code
  /// A sentence for a person, with the offending value and the cure in it.
  public let phrase: Phrase

  /// An error as given.
  public init(_ code: Code, _ phrase: Phrase) {
    self.code = code
    self.phrase = phrase
  }

  /// The sentence in English.
  public var description: String { phrase.description }

  static func notMeasured(_ example: String, _ why: Phrase) -> LessonKitError {
    LessonKitError(.notMeasured, "\(example) gave no measurement: \(why)")
  }
}
