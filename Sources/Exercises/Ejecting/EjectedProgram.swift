// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// A lesson's example as a program without the harness: its files, a main function, and what stands in for the
/// application around it.
public struct EjectedProgram: Sendable, Hashable {
  /// The port of the lesson server that the program's own address names.
  static let port: UInt16 = 8080
  private static let securePort: UInt16 = 8443
  private static let bodyBytes = 64 << 20

  /// Its target's name, such as `session-download`.
  public var name: String
  /// The libraries that it loads with.
  var imports: Set<StudentFile.API>
  /// Its files, by name.
  public var files: [String: String]

  /// These examples of the lesson; the files of all lessons lie below `root`.
  ///
  /// - Parameters:
  ///   - lessons: the lessons from which an example may be borrowed.
  ///   - catalogue: the language of what the main files say about their examples.
  /// - Throws: `LessonKitError` with code `environment` when a file cannot be read, `fault` when a declaration is not
  ///   understood.
  public static func all(
    _ examples: [Example], of lesson: Lesson, borrowedFrom lessons: [Lesson], root: URL,
    in catalogue: StringCatalogue = StringCatalogue(.english)
  ) throws(LessonKitError) -> [EjectedProgram] {
    let standIn = try LessonText(root: root, environment: [:]).text(in: "Texts/ejected/ExampleContext.swift")
    var sources: [String: LessonSource] = [:]
    var programs: [EjectedProgram] = []
    for example in examples {
      // A borrowed example is declared in the lesson that it comes from, under its name there.
      let home = lessons.first { $0.id == example.origin?.lesson } ?? lesson
      let original = home.examples.first { $0.id == example.origin?.example } ?? example
      let source = if let known = sources[home.id] { known } else { try LessonSource(of: home, below: root) }
      sources[home.id] = source
      programs.append(
        try EjectedProgram(example, of: lesson, declaredAs: original, in: source, standIn: standIn, catalogue))
    }
    return programs
  }

  init(
    _ example: Example, of lesson: Lesson, declaredAs original: Example, in source: LessonSource, standIn: String,
    _ catalogue: StringCatalogue
  ) throws(LessonKitError) {
    name = example.id.replacing("/", with: "-")
    files = source.files(of: original).mapValues(Self.withoutHarness)
    imports = files.values.reduce(into: []) { $0.formUnion(StudentFile(path: "", source: $1).imports) }
    files["ExampleContext.swift"] = standIn
    files["main.swift"] = Self.main(
      name, example, try source.program(of: original), Self.remarks(on: example, of: lesson).map { catalogue($0) })
  }

  /// The harness's module brings Foundation along; without it Foundation comes by itself.
  private static func withoutHarness(_ source: String) -> String {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let isThere = lines.contains("import Foundation")
    return lines.compactMap { $0 != "import LessonKit" ? $0 : isThere ? nil : "import Foundation" }
      .joined(separator: "\n")
  }

  // MARK: - The main function

  private static func main(_ name: String, _ example: Example, _ program: String, _ remarks: [String]) -> String {
    let address = example.address(port: port, securePort: securePort, bodyBytes: bodyBytes)
    let remarks = remarks.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined()
    let touch = example.circumstances.touch.map { ", touch: (\($0.began), \($0.ended))" } ?? ""
    let keeps = example.circumstances.launches > 1 ? ", isKept: true" : ""
    return """
      // SPDX-License-Identifier: Apache-2.0
      \(remarks)import Foundation

      let address =
        CommandLine.arguments.dropFirst().first
        ?? \(String(reflecting: address))
      guard let url = URL(string: address), let scratch = ExampleContext.makeScratch("\(name)"\(keeps)) else {
        print("usage: \(name) [ADDRESS]; the temporary folder must be writable")
        exit(64)
      }
      print("loads \\(url), writes to \\(scratch.path)")
      let app = ExampleContext(url: url, scratch: scratch\(touch))
      \(program.hasPrefix("{") ? "(\(program))" : program)(app)

      """
  }

  /// Says what the example is, and what a person has to know to see what the lesson shows; an empty phrase is an empty line.
  private static func remarks(on example: Example, of lesson: Lesson) -> [Phrase] {
    let title: Phrase =
      "\(example.id) of \(lesson.id), “\(Phrase(key: lesson.title))”: \(Phrase(key: example.title))."
    let remarks = needs(of: example) + surroundings(of: example)
    return [title, .empty] + (remarks.last?.isEmpty == true ? remarks.dropLast() : remarks)
  }

  /// The server that the example loads from.
  private static func needs(of example: Example) -> [Phrase] {
    switch example.resource {
    case .refused: []
    case .secure(let certificate, _):
      [
        "It needs the lesson server with TLS and the certificate that the example meets:",
        Phrase(verbatim: "  Scripts/workbench server --port \(securePort) --certificate \(certificate.rawValue)"),
        "The server says how a client comes to trust its authority.", .empty,
      ]
    case .body, .path:
      [
        "It needs the lesson server. Start it in the workbench's folder, in a terminal of its own:",
        Phrase(verbatim: "  Scripts/workbench server --port \(port)"), .empty,
      ]
    }
  }

  /// Describes what happens around the program.
  private static func surroundings(of example: Example) -> [Phrase] {
    var remarks: [Phrase] = []
    if let touch = example.circumstances.touch {
      remarks.append("A finger is on the screen from \(touch.began) s to \(touch.ended) s.")
    }
    if let stop = example.circumstances.stop {
      let length = stop.ended - stop.began
      remarks += [
        "The lesson stops the process after \(stop.began) s for \(length) s. Do it from another terminal:",
        "kill -STOP and kill -CONT with its number.",
      ]
    }
    if example.circumstances.launches > 1 {
      remarks.append("Run it twice: the second time finds what the first left.")
    }
    if example.expectedEnd == .timedOut {
      remarks.append("It never ends, as the lesson explains: Ctrl-C.")
    }
    return remarks
  }
}
