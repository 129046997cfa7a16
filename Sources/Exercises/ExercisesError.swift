// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// What can go wrong between a person's own file and its run, or on an example's way into a package of its own.
public struct ExercisesError: Error, CustomStringConvertible, Sendable, Hashable {
  /// What kind of trouble it is.
  public enum Code: Sendable, Hashable {
    /// The file cannot be read, or is not what it should be.
    case unreadable
    /// The compiler refuses the file; the description is what the compiler wrote.
    case notCompiled
    /// The file compiles, but lacks what the workbench starts or an import it needs.
    case noProgram
    /// The machine or its user's rights lack something; the description names the cure.
    case environment
    /// The folder to write to is no good; the description names the cure.
    case folder
    /// A lesson's file is written in a form that the workbench does not understand: its own fault.
    case fault
  }

  /// What kind of trouble it is.
  public let code: Code
  /// A sentence for a person, with the offending value and the cure in it; for `notCompiled` the compiler's words.
  public let phrase: Phrase

  init(_ code: Code, _ phrase: Phrase) {
    self.code = code
    self.phrase = phrase
  }

  /// The sentence in English.
  public var description: String { phrase.description }
}
