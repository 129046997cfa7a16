// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The findings of checking one student's exercises: the model that `grade` and `exercise check --json` print, version 1.
public struct GradeReport: Sendable, Hashable {
  /// The version of the model.
  public static let schema = 1

  /// The results, in the course's order.
  public var exercises: [ExerciseResult]

  /// A report of these results.
  public init(_ exercises: [ExerciseResult]) {
    self.exercises = exercises
  }

  /// The sum of all scores.
  public var score: Int { exercises.reduce(0) { $0 + $1.score } }
  /// The points that all exercises are worth.
  public var points: Int { exercises.reduce(0) { $0 + $1.points } }

  /// The report as one JSON object, in English, ended by a line feed.
  public var json: String { ExerciseJSON.encoded(self) }
}

/// JSON as the exercises' commands print it.
public enum ExerciseJSON {
  /// The value in JSON, with a line feed at its end.
  public static func encoded(_ value: some Encodable) -> String { encoded(value, phrases: false) }

  /// The value in JSON, with its sentences as phrases where every language is to be able to say them.
  static func encoded(_ value: some Encodable, phrases: Bool) -> String {
    let encoder = JSONEncoder()
    if let key = CodingUserInfoKey.phrases { encoder.userInfo[key] = phrases }
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Every value that comes here is of texts, numbers and truth values, which always encode.
    return ((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
  }
}

extension GradeReport: Encodable {
  private enum Keys: String, CodingKey { case schema, score, points, exercises }

  /// Writes the object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    try object.encode(Self.schema, forKey: .schema)
    try object.encode(score, forKey: .score)
    try object.encode(points, forKey: .points)
    try object.encode(exercises, forKey: .exercises)
  }
}

extension ExerciseResult: Encodable {
  private enum Keys: String, CodingKey {
    case id, title, score, points, seconds, outcome, why, checks, compiler, advice, pitfalls, runs
  }

  /// Writes the object; its sentences are English, or phrases.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    try object.encode(id, forKey: .id)
    try object.encode(title(.english), forKey: .title)
    try object.encode(score, forKey: .score)
    try object.encode(points, forKey: .points)
    try object.encode((seconds * 100).rounded() / 100, forKey: .seconds)
    try object.encode(outcome, forKey: .outcome)
    try object.encode(encoder.sentence(why), forKey: .why)
    try object.encode(checks, forKey: .checks)
    try object.encode(compiler, forKey: .compiler)
    try object.encode(advice.map(encoder.sentence), forKey: .advice)
    if !pitfalls.isEmpty { try object.encode(pitfalls, forKey: .pitfalls) }
    if !runs.isEmpty { try object.encode(runs, forKey: .runs) }
  }
}

extension CheckResult: Encodable {
  private enum Keys: String, CodingKey { case id, title, passed, wanted, measured, outside, points }

  /// Writes the object; its sentences are English, or phrases.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    try object.encode(id, forKey: .id)
    try object.encode(encoder.sentence(title), forKey: .title)
    try object.encode(passed, forKey: .passed)
    try object.encode(encoder.sentence(wanted), forKey: .wanted)
    try object.encode(encoder.sentence(measured), forKey: .measured)
    try object.encode(outside, forKey: .outside)
    try object.encode(points, forKey: .points)
  }
}
