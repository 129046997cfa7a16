// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The Swift files of a lesson's folder: the programs, and what declares examples and settles claims.
struct LessonSource {
  /// Words that only a file around the programs uses.
  private static let harness: Set<String> = ["Claim", "Example", "ExampleRun", "Findings", "Lesson", "RunResults"]

  /// The files that programs consist of, by name.
  private(set) var programs: [String: String] = [:]
  /// The calls in the other files, among them those that declare the examples.
  private var calls: [CallArguments] = []

  /// Reads the folder.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be read.
  init(of lesson: Lesson, below root: URL) throws(LessonKitError) {
    let folder = root.appendingPathComponent(lesson.folder)
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      let files = try names.sorted().map { name in
        (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
      }
      self.init(files)
    } catch {
      throw LessonKitError(
        .environment,
        "The lesson's folder \(folder.path) cannot be read. Set \(LessonText.variable) to the package's folder Lessons."
      )
    }
  }

  /// These files, by name.
  init(_ files: [(name: String, source: String)]) {
    for (name, source) in files {
      let text = SwiftText(source)
      if text.words.isDisjoint(with: Self.harness) {
        programs[name] = source
      } else {
        calls += CallArguments.all(in: text)
      }
    }
  }

  // MARK: - The program's name

  /// The expression that the example's declaration gives for its program, such as `OneWrite.run`.
  ///
  /// - Throws: `LessonKitError` with code `fault` when no declaration is understood.
  func program(of example: Example) throws(LessonKitError) -> String {
    let found = calls.compactMap { call in rank(call, example).map { (rank: $0, call: call) } }
    guard let best = found.max(by: { $0.rank < $1.rank })?.call, let run = Self.program(in: best) else {
      throw LessonKitError(
        .fault, "this is a fault in the workbench itself: the declaration of \(example.id) was not understood.")
    }
    return Self.filledIn(run, from: best, for: example)
  }

  /// How well a call fits an example, or nil when it does not declare it: a fixed name fits better than one with values in it,
  /// and that better than a name that is known only when the lesson runs.
  private func rank(_ call: CallArguments, _ example: Example) -> Int? {
    let file = example.file.split(separator: "/").last.map(String.init) ?? example.file
    let literals = call.arguments.map(\.text)
    guard literals.contains("\"\(file)\"") || literals.contains("\"\(file.dropLast(".swift".count))\""),
      Self.program(in: call) != nil, let first = call.arguments.first?.text,
      !Side.allCases.contains(where: { $0.rawValue == call.callee && $0 != example.side })
    else { return nil }
    guard let pattern = NamePattern(literal: first) else { return 0 }
    guard Self.names(of: example).contains(where: { pattern.values(for: $0) != nil }) else { return nil }
    return pattern.isFixed ? 2 : 1
  }

  private static func program(in call: CallArguments) -> String? {
    call["run"]
      ?? call.arguments.last.flatMap { last in
        last.label == nil && (last.text.hasPrefix("{") || last.text.wholeMatch(of: /[A-Z]\w*\.\w+/) != nil)
          ? last.text : nil
      }
  }

  /// The program with the values that the example's name has in place of what the declaration calls them.
  private static func filledIn(_ program: String, from call: CallArguments, for example: Example) -> String {
    guard let pattern = call.arguments.first.flatMap({ NamePattern(literal: $0.text) }),
      let values = names(of: example).lazy.compactMap({ pattern.values(for: $0) }).first
    else { return program }
    return values.reduce(program) { text, value in
      text.replacing(value.key, with: Int(value.value) == nil ? "\"\(value.value)\"" : value.value)
    }
  }

  private static func names(of example: Example) -> [String] {
    [example.id, String(example.id.drop { $0 != "/" }.dropFirst())]
  }

  // MARK: - The program's files

  /// The files that the example's program needs: its own, each that declares a name which one of them uses, and each that
  /// extends a type which one of them declares.
  func files(of example: Example) -> [String: String] {
    let declarations = programs.mapValues(Declarations.init)
    var wanted = [example.file.split(separator: "/").last.map(String.init) ?? example.file]
    var found: [String: String] = [:]
    while let name = wanted.popLast() {
      guard found[name] == nil, let source = programs[name], let own = declarations[name]?.names else { continue }
      found[name] = source
      let words = SwiftText(source).words
      wanted += declarations.filter {
        !$0.value.names.isDisjoint(with: words) || !$0.value.extended.isDisjoint(with: own)
      }
      .map(\.key)
    }
    return found
  }
}
