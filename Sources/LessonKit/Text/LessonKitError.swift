// SPDX-License-Identifier: Apache-2.0

/// An error around an example or a person's own file: the lesson that is not there, the machine that lacks something.
public struct LessonKitError: Error, CustomStringConvertible, Sendable, Hashable {
  /// The kind of trouble.
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
    /// The compiler refuses a file; the sentence is what the compiler wrote.
    case notCompiled
    /// A file compiles, but lacks what the workbench starts or an import it needs.
    case noProgram
    /// The folder to write to is no good; the description names the cure.
    case folder
    /// A lesson's file is written in a form that the workbench does not understand: its own fault.
    case fault
  }

  /// The kind of trouble.
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
