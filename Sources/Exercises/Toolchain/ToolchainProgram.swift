// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The Session examples of one lesson as a program for the toolchain's column: files, and a name for each example.
struct ToolchainProgram: Sendable, Hashable {
  /// An example in it.
  struct Part: Sendable, Hashable {
    /// The example's id in its own lesson, which is its name in the program.
    var id: String
    /// The expression that the declaration gives for its program, such as `OneWrite.run`.
    var expression: String
    /// The names of the files that it consists of.
    var files: Set<String>
  }

  static let entryName = "WorkbenchEntry.swift"

  /// The files by name.
  private(set) var files: [String: String] = [:]
  /// The examples.
  private(set) var parts: [Part] = []

  /// All Session examples that the lesson itself declares. Its files lie below `root`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when a file cannot be read, `fault` when a declaration is not
  ///   understood.
  init(of lesson: Lesson, below root: URL) throws(LessonKitError) {
    let source = try LessonSource(of: lesson, below: root)
    for example in lesson.examples where example.side == .session && example.origin == nil {
      let own = source.files(of: example)
      files.merge(own) { first, _ in first }
      parts.append(Part(id: example.id, expression: try source.program(of: example), files: Set(own.keys)))
    }
  }

  /// The program of these parts.
  init(_ parts: [Part], _ files: [String: String]) {
    (self.parts, self.files) = (parts, files)
  }

  /// The same without these examples, and without the files that only they need.
  func without(_ ids: Set<String>) -> ToolchainProgram {
    let left = parts.filter { !ids.contains($0.id) }
    let needed = left.reduce(into: Set<String>()) { $0.formUnion($1.files) }
    return ToolchainProgram(left, files.filter { needed.contains($0.key) })
  }

  /// The main function, a line for each example.
  var entry: String {
    let lines = parts.map { "      \(String(reflecting: $0.id)): \($0.expression)," }
    return """
      import LessonKit
      import SessionAPI

      @main enum WorkbenchEntry {
        static let programs: [String: @Sendable (ExampleContext) -> Void] = [
      \(lines.joined(separator: "\n"))
        ]

        static func main() {
          OwnProgram.run(warmUp: ToolchainWarmUp.run, programs: programs)
        }
      }

      """
  }

  /// All of its text, by which it is found again.
  var text: String {
    files.sorted { $0.key < $1.key }.map { "// \($0.key)\n\($0.value)" }.joined() + entry
  }

  /// The first line of the main function that names an example.
  private static let firstLine = 6

  /// The example that this line of the main function names.
  func part(atLine line: Int) -> Part? {
    let index = line - Self.firstLine
    return parts.indices.contains(index) ? parts[index] : nil
  }
}
