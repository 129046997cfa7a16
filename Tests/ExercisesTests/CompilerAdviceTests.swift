// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Exercises

private let load = "URLSession.shared.dataTask(with: app.url) { data, _, _ in\n"

/// Compiles what students write wrongly, for the compiler's words are another version's tomorrow.
@Suite(.serialized, .timeLimit(.minutes(4))) struct CompilerAdviceTests {
  /// The advice on a program of this body, with `before` in front of it.
  private func advice(
    _ body: String, imports: String = "Foundation LessonKit SessionAPI", before: String = "", members: String = ""
  ) async throws -> [String] {
    let modules = imports.split(separator: " ").map { "import \($0)\n" }.joined()
    let source = """
      \(modules)
      \(before)
      enum Exercise {
        static func run(_ app: ExerciseContext) {
          \(body)
        }
        \(members)
      }

      """
    let file = StudentFile(path: "mine.swift", source: source)
    do {
      _ = try await ProgramBuilder(built: BuiltWorkbench(), cache: .ofTests).build(file)
      return []
    } catch let error as LessonKitError where error.code == .notCompiled {
      return file.advice(on: error.description).map(\.description)
    }
  }

  @Test(arguments: [
    ("var body = Data(); \(load) body = data ?? Data() }.resume(); print(body)", "cannot change a variable around it"),
    ("let box = Box(); \(load) box.body = data }.resume(); print(box)", "write “final class …: @unchecked Sendable”"),
    ("func go(_ then: @escaping (Data?) -> Void) { \(load) then(data) }.resume() }; go { _ in }", "write @Sendable"),
    ("\(load) show() }.resume()", "DispatchQueue.main.async { … }"),
    ("\(load) print(data.count) }.resume()", "guard let data else { … }"),
    (
      "let (data, _) = try await URLSession.shared.data(from: app.url); print(data)", "write Task { … } around the call"
    ),
  ])
  func `an error with a common cause gets one sentence of advice`(_ body: String, _ words: String) async throws {
    let box = "final class Box { var body: Data? }\n@MainActor func show() {}"
    let sentences = try await advice(body, before: box)
    #expect(sentences.count == 1 && sentences.first?.contains(words) == true, "\(sentences)")
  }

  @Test(arguments: [
    ("final class Load: NSObject, URLSessionDataDelegate { var body = Data() }", "@unchecked Sendable"),
    ("class Load: NSObject, URLSessionDataDelegate {}", "write “final class”"),
    ("final class Load: URLSessionDataDelegate {}", "A delegate is an NSObject"),
    ("static var body = Data()", "a static variable"),
    (
      "@MainActor final class Load: NSObject, URLSessionDataDelegate { func urlSession("
        + "_ s: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {} }", "Take @MainActor away"
    ),
  ])
  func `so does a delegate that cannot be one`(_ member: String, _ words: String) async throws {
    let sentences = try await advice("", members: member)
    #expect(sentences.count == 1 && sentences.first?.contains(words) == true, "\(sentences)")
  }

  @Test func `an import too many, and one too few, are named`() async throws {
    let two = try await advice(
      "\(load) print(data ?? Data()) }.resume()", imports: "Foundation FoundationNetworking LessonKit SessionAPI")
    #expect(two.count == 1 && two[0].contains("delete “import FoundationNetworking”"), "\(two)")
    let other = try await advice("_ = URLSession.shared", imports: "Foundation LessonKit ConnectionAPI")
    #expect(other == ["URLSession and its kin are in SessionAPI: write import SessionAPI."])
    let connection = try await advice("_ = NSURLConnection.self", imports: "Foundation LessonKit SessionAPI")
    #expect(connection == ["NSURLConnection and its kin are in ConnectionAPI: write import ConnectionAPI."])
  }

  @Test func `an error that says all itself gets no advice`() async throws {
    #expect(try await advice("app.quitt()").isEmpty)
  }
}
