// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@Suite struct PhraseTests {
  private let chinese = StringCatalogue(
    .simplifiedChinese,
    translations: [
      "{} of {} callbacks on {}": "{3}的 {2} 个回调中有 {1} 个", "main thread": "主线程", "finished": "完成",
      "new": "未开始", "connection|new": "新建",
    ])

  private func phrase(on place: Phrase = "main thread") -> Phrase { "\(3) of \(8) callbacks on \(place)" }

  @Test func `a literal is its English text, its key has a place for each value`() {
    #expect(phrase().description == "3 of 8 callbacks on main thread")
    #expect(phrase().key == "{} of {} callbacks on {}")
  }

  @Test func `a translation puts the values where it wants them, and translates parts by themselves`() {
    #expect(chinese(phrase()) == "主线程的 8 个回调中有 3 个")
    #expect(chinese(phrase(on: "thread 5")) == "thread 5的 8 个回调中有 3 个")
    #expect(chinese.missing(in: phrase(on: "a worker")) == ["a worker"])
  }

  @Test func `a list has the punctuation of its language`() {
    let list = (["finished", "main thread", ""] as [Phrase]).joined()
    #expect(list.description == "finished, main thread")
    #expect(chinese(list) == "完成，主线程")
  }

  @Test func `braces in a value stay as they are`() {
    #expect(("the body is \("{1}")" as Phrase).description == "the body is {1}")
  }

  @Test func `a phrase comes back from JSON as it went in`() throws {
    for phrase in [phrase(), "finished", Phrase("new", of: "connection"), Phrase(verbatim: "x {} y"), .empty] {
      let data = try JSONEncoder().encode([phrase])
      #expect(try JSONDecoder().decode([Phrase].self, from: data) == [phrase])
    }
  }

  @Test func `a word of two meanings is told apart by its context, which nobody reads`() {
    let (connection, state) = (Phrase("new", of: "connection"), "new" as Phrase)
    #expect(chinese(connection) == "新建" && chinese(state) == "未开始")
    #expect(connection.description == "new" && StringCatalogue(.english)(connection) == "new")
    #expect(chinese(Phrase("kept", of: "connection")) == "kept", "what has no translation")
    #expect(("a|b" as Phrase).key == "a|b" && Phrase(verbatim: "a|b").description == "a|b")
  }

  @Test func `one and many`() {
    #expect(Phrase.count(1, "request").description == "1 request")
    #expect(Phrase.count(0, "request").description == "0 requests")
  }

  @Test(arguments: [
    (["LANG": "zh_CN.UTF-8"], Language.simplifiedChinese), (["LC_ALL": "en_US", "LANG": "zh_CN"], .english),
    (["LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "C"], .simplifiedChinese), ([:], .english),
  ]) func `the environment chooses the language`(_ environment: [String: String], _ language: Language) {
    #expect(Language(environment: environment) == language)
  }
}
