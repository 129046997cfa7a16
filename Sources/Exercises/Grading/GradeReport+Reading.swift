// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Pitfalls

// A class's results are kept in the form that `grade --format json` prints, but for its sentences: those are phrases, which
// every language can say. A sentence that is a plain text is read as well.

extension CodingUserInfoKey {
  /// True if sentences are written as phrases and not in English.
  static let phrases = CodingUserInfoKey(rawValue: "workbench.phrases")
}

extension Encoder {
  /// A sentence as this encoder is to write it.
  func sentence(_ phrase: Phrase) -> Phrase {
    let isKept = CodingUserInfoKey.phrases.flatMap { userInfo[$0] as? Bool } ?? false
    return isKept ? phrase : Phrase(key: phrase.description)
  }
}

extension GradeReport: Decodable {
  private enum Keys: String, CodingKey { case exercises }

  /// Reads the object.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.container(keyedBy: Keys.self).decode([ExerciseResult].self, forKey: .exercises))
  }
}

extension ExerciseResult: Decodable {
  private enum Keys: String, CodingKey {
    case id, title, points, seconds, outcome, why, checks, compiler, advice, pitfalls, runs
  }

  /// Reads the object; the title is the English one.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Keys.self)
    id = try object.decode(String.self, forKey: .id)
    title = LocalizedText([.english: try object.decode(String.self, forKey: .title)])
    points = try object.decode(Int.self, forKey: .points)
    outcome = try object.decode(ExerciseOutcome.self, forKey: .outcome)
    why = try object.decode(Phrase.self, forKey: .why)
    seconds = try object.decode(Double.self, forKey: .seconds)
    checks = try object.decode([CheckResult].self, forKey: .checks)
    compiler = try object.decode(String.self, forKey: .compiler)
    advice = try object.decodeIfPresent([Phrase].self, forKey: .advice) ?? []
    pitfalls = try object.decodeIfPresent([PitfallSeen].self, forKey: .pitfalls) ?? []
    // Results of former versions have none, and a damaged one costs a drawing, not the result.
    runs = (try? object.decodeIfPresent([MeasuredRun].self, forKey: .runs)) ?? []
  }
}

extension CheckResult: Decodable {
  private enum Keys: String, CodingKey { case id, title, passed, wanted, measured, outside, points }

  /// Reads the object.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Keys.self)
    id = try object.decode(String.self, forKey: .id)
    title = try object.decode(Phrase.self, forKey: .title)
    passed = try object.decode(Bool.self, forKey: .passed)
    wanted = try object.decode(Phrase.self, forKey: .wanted)
    measured = try object.decode(Phrase.self, forKey: .measured)
    outside = try object.decode(Bool.self, forKey: .outside)
    points = try object.decode(Int.self, forKey: .points)
  }
}
