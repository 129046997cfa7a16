// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Exercises

@Suite struct LessonSourceTests {
  private static let declarations = """
    enum Toys {
      static let lesson: Lesson = .make(
        connection: [
          .connection("plain", "a title (with \\"quotes\\", and a comma)", "One", loads: size(1, 2), run: One.run),
          .session("plain", "the other column", "One", run: One.wrongSide),
        ] + [1, 4].map { .connection("parts-\\($0)", "parts", "Two", run: Two.inParts($0)) }
          + names.map { name, title in .connection("kind-\\(name)", title, "Two", run: Two.of(name)) }
          + others.map { .connection($0.name, $0.title, "One", run: One.other) }
          + [Example("connection/whole", .connection, "a title", file: "Two.swift") { app in Two.run(app, [1, 2]) }])
    }
    """
  private let source = LessonSource([
    ("Toys.swift", declarations),
    ("One.swift", "enum One { static func run(_ a: ExampleContext) { help(Kept.self) } }"),
    ("Two.swift", "enum Two {} // Unrelated"), ("Help.swift", "func help(_ a: Any.Type) { extended() }"),
    ("Kept.swift", "private enum Hidden {}\nfinal class Kept { func run() {} }"),
    ("More.swift", "extension String {\n  func extended() {}\n  private func secret() {}\n}"),
    ("Kept+Delegate.swift", "extension Kept: Delegate { func asked() { print(\"size: \\(size.words)\") } }"),
    ("Words.swift", "extension Int { var words: String { \"\" } }"),
    ("Unrelated.swift", "enum Unrelated { static func secret() {} }"),
  ])

  private func program(_ name: String, _ file: String) throws -> String {
    try source.program(of: Example("connection/\(name)", .connection, "", file: file) { _ in })
  }

  @Test func `the program of an example is what its declaration runs`() throws {
    #expect(try program("plain", "One.swift") == "One.run")
    #expect(try program("whole", "Two.swift") == "{ app in Two.run(app, [1, 2]) }")
    #expect(try program("something-else", "One.swift") == "One.other")
  }

  @Test func `what a declaration takes from the example's name is filled in`() throws {
    #expect(try program("parts-4", "Two.swift") == "Two.inParts(4)")
    #expect(try program("kind-odd", "Two.swift") == "Two.of(\"odd\")")
  }

  @Test func `an example that is nowhere declared is the workbench's fault`() {
    let error = #expect(throws: LessonKitError.self) { try program("parts-4", "Three.swift") }
    #expect(error?.code == .fault)
    #expect(error?.description.contains("connection/parts-4") == true)
  }

  @Test func `a program takes along each file whose names it uses, and no other`() {
    let example = Example("connection/plain", .connection, "", file: "One.swift") { _ in }
    #expect(
      Set(source.files(of: example).keys) == [
        "One.swift", "Help.swift", "Kept.swift", "More.swift", "Kept+Delegate.swift", "Words.swift",
      ])
    let other = Example("connection/parts-4", .connection, "", file: "../lesson-00-toys/Two.swift") { _ in }
    #expect(Set(source.files(of: other).keys) == ["Two.swift"])
  }
}

@Suite struct NamePatternTests {
  @Test func `a pattern finds what its values must be`() throws {
    let pattern = try #require(NamePattern(literal: #""a-\(x.y(1))-\(z)!""#))
    #expect(!pattern.isFixed)
    #expect(pattern.values(for: "a-b-c!") == ["x.y(1)": "b", "z": "c"])
    #expect(pattern.values(for: "a-b") == nil)
    #expect(NamePattern(literal: "\"a\"")?.values(for: "a") == [:])
    #expect(NamePattern(literal: "name") == nil && NamePattern(literal: "\"\\(a\"") == nil)
  }
}
