// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The shape of a program that the workbench can start, and the file that is compiled beside it.
enum ProgramTemplate {
  /// A program that does one load, as a beginning for a person's own.
  static let program = """
    import Foundation
    import SessionAPI
    import LessonKit

    enum Exercise {
      static func run(_ app: ExampleContext) {
        let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
          print(data?.count ?? 0, "bytes,", error?.localizedDescription ?? "no error")
          app.quit()
        }
        task.resume()
        app.runApplication()
      }
    }

    """

  /// An exercise's program that does nothing but load what is nothing, for without a load no check counts.
  static func idle(importing api: StudentFile.API) -> String {
    let load =
      switch api {
      case .connection:
        "_ = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: nothing), returning: nil)\n    app.quit()"
      case .session: "URLSession.shared.dataTask(with: nothing) { _, _, _ in app.quit() }.resume()"
      }
    return """
      import Foundation
      import LessonKit
      import \(api.rawValue)

      enum Exercise {
        static func run(_ app: ExerciseContext) {
          guard let nothing = URL(string: "data:,") else { return }
          \(load)
          app.runApplication()
        }
      }

      """
  }

  /// The main function: becomes the example's process that the workbench starts, with the program in it.
  ///
  /// It lies in the module of the person's file, whose declarations hide imported ones. Each name therefore says its
  /// module, functions too, which an extension could hide (SE-0491).
  static func entry(warmingUp sides: Set<StudentFile.API>) -> String {
    let calls = StudentFile.API.allCases.filter(sides.contains).map { api in
      "WarmUps::\(api == .connection ? "ConnectionWarmUp" : "SessionWarmUp").WarmUps::run($0)"
    }
    return """
      import LessonKit
      import WarmUps

      @main enum WorkbenchEntry {
        static func main() {
          LessonKit::OwnProgram.LessonKit::run(
            warmUp: { \(calls.joined(separator: "; ")) }, program: \(ProgramBuilder.module)::Exercise.run)
        }
      }

      """
  }

  /// Makes the error for a file without the function that is started.
  static func missingProgram(in path: String) -> LessonKitError {
    LessonKitError(
      .noProgram,
      "“\(path)” lacks what the workbench starts: an enum Exercise with a static function run that takes the app and "
        + "belongs to no actor. Such as:\n\n\(program)")
  }

  /// Makes the error for a program at top level, as the web shows them: how it looks in the form that is started.
  static func atTopLevel(_ file: StudentFile) -> LessonKitError {
    let lines = file.source.split(whereSeparator: \.isNewline)
    let isImport = { (line: Substring) in line.split(separator: " ").prefix(2).contains("import") }
    let words = SwiftText(file.source).words
    let waits = words.contains("await")
    let begin = (waits ? ["Task { @MainActor in"] : []) + (words.contains("try") ? ["do {"] : [])
    let end =
      (words.contains("try") ? ["} catch { print(error) }"] : [])
      + (waits ? ["app.quit()", "}", "app.runApplication()"] : [])
    let body = lines.filter { !isImport($0) }.map(String.init)
    let imports = lines.filter { isImport($0) && !$0.hasSuffix("LessonKit") }.map(String.init) + ["import LessonKit"]
    let head = imports + ["", "enum Exercise {", "  static func run(_ app: ExampleContext) {"]
    let program = (head + (begin + body + end).map { "    " + $0 } + ["  }", "}"]).joined(separator: "\n")
    return LessonKitError(
      .noProgram,
      "“\(file.path)” is a program at top level; the workbench starts a function. Functions, types and extensions stay "
        + "outside of it, and app.url is an address that its server answers. Your program in that form:\n\n\(program)\n"
    )
  }

  /// Makes the error for a file that imports neither library.
  static func missingImport(in path: String) -> LessonKitError {
    LessonKitError(
      .noProgram,
      "“\(path)” imports neither ConnectionAPI nor SessionAPI, so nothing of it could be measured. Write import "
        + "ConnectionAPI or import SessionAPI, in place of FoundationNetworking if it is there. Such as:\n\n\(program)")
  }
}
