// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import workbench

/// The doctor's look at phrases in sources, and at their translations.
@Suite struct SourceInspectionTests {
  private static let source = #"""
    struct Judgement {
      var measured: Phrase
      var isRight: Bool { "no phrase" == measured }
    }
    func tell(_ name: String, _ sentence: Phrase) {}
    enum Words {
      static func of(_ state: String) -> Phrase {
        let name = "a name"
        switch state {
        case "a pattern": return "it begins"
        default: return state == "compared" ? "it goes on, " + "and on" : Phrase(verbatim: "as it stands")
        }
      }
      static let heading: Phrase =
        "a heading of \(3) words"
      static let text = "a text"
    }
    func show() {  // "a comment"
      tell("a name", "a sentence")
      print("printed", say("cast" as Phrase), "\(say("within a \(1) value" as Phrase))")
      _ = [Phrase.count(2, "thing"), .count(2, "person", "people"), Judgement(measured: "measured")]
    }
    """#

  @Test func `phrases are known by what they are declared to be`() {
    let tokens = SwiftTokens(Self.source)
    var takers = PhraseTakers()
    takers.add(tokens.all)
    let found = ([tokens.all] + tokens.values).flatMap { PhraseReader.phrases(in: $0, takers) }
    #expect(
      found.map(\.key) == [
        "it begins", "it goes on, and on", "a heading of {} words", "a sentence", "cast", "{} thing", "{} things",
        "{} person", "{} people", "measured", "within a {} value",
      ])
    #expect(found.map(\.line) == [10, 11, 15, 19, 20, 21, 21, 21, 21, 21, 20])
  }

  @Test func `a phrase without translation and a translation without phrase are named with file and line`() throws {
    let package = FileManager.default.temporaryDirectory.appendingPathComponent("sources-\(UUID())")
    defer { try? FileManager.default.removeItem(at: package) }
    try write("let a: Phrase = \"said\"\nlet b: Phrase = \"said, too\"\n", to: "Sources/workbench/A.swift", in: package)
    try write("\"said\": \"说\"\n\"never said\": \"不说\"\n", to: "Lessons/Texts/zh-Hans/commands.yml", in: package)
    let root = package.appendingPathComponent("Lessons")
    #expect(
      SourceInspection(root: root).faults(in: .simplifiedChinese).map(\.description) == [
        "Sources/workbench/A.swift:2: “said, too” has no translation",
        "Texts/zh-Hans/commands.yml:2: nothing says “never said”",
      ])
    #expect(SourceInspection(root: root).faults(in: .english).isEmpty)
  }

  @Test func `every phrase of ours has a translation, and every translation its phrase`() {
    for language in Language.allCases {
      let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Lessons").standardizedFileURL
      #expect(SourceInspection(root: root).faults(in: language) == [])
    }
  }

  private func write(_ text: String, to name: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
