// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Exercises

/// An exercise that says by a check which API it is about, with real programs.
@Suite(.timeLimit(.minutes(4))) struct APICheckTests {
  private let home: TestFolder

  init() throws {
    home = try .withNewExercise()
    let checks = """
      checks:
        - {id: api, kind: api, side: session, points: 1}
        - {id: goes-on, kind: goes_on, line: on, at_most: 5, points: 1, with: [api]}
        - {id: main, kind: main_wakeups, at_most: 40, points: 2, with: [api]}
      """
    try home.change("exercise.yml", "checks:", checks)
    try home.change("exercise.yml", "points: 4}", "points: 2, with: [api]}")
    try home.change("exercise.yml", "points: 6, with: [request]", "points: 4, with: [request, api]")
  }

  /// The checks that a program passes which does this and hands in the document's name.
  private func passed(_ imports: String, _ body: String) async throws -> [String] {
    let source = """
      import Foundation
      import Glibc
      import LessonKit
      import \(imports)
      enum Exercise {
        static func run(_ app: ExerciseContext) {
          @Sendable func end(_ data: Data?) {
            let document = try? JSONDecoder().decode([String: StringOrNumber].self, from: data ?? Data())
            app.result(document?["name"]?.text ?? "none")
            print("on")
            app.quit()
          }
          \(body)
          app.runApplication()
        }
      }
      struct StringOrNumber: Decodable {
        var text: String
        init(from decoder: any Decoder) throws {
          text = (try? decoder.singleValueContainer().decode(String.self)) ?? ""
        }
      }

      """
    let result = try await ExerciseChecker.ofTests().check(
      home.exercise(), at: home.write(source.utf8, to: "Exercise.swift"))
    #expect(result.compiler.isEmpty && [.failed, .passed].contains(result.outcome), "\(result.compiler) \(result.why)")
    return result.checks.filter(\.passed).map(\.id)
  }

  @Test func `a load of the API passes`() async throws {
    #expect(
      try await passed("SessionAPI", "URLSession.shared.dataTask(with: app.url) { data, _, _ in end(data) }.resume()")
        == ["api", "goes-on", "main", "request", "name"])
  }

  @Test func `a load of the other API, and one by a socket of the program's own, get no points`() async throws {
    let other = """
      NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: .main) { _, data, _ in end(data) }
      """
    #expect(try await passed("ConnectionAPI", other) == [])
    let socket = """
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
          var address = sockaddr_in()
          address.sin_family = sa_family_t(AF_INET)
          address.sin_port = UInt16(app.url.port ?? 0).bigEndian
          address.sin_addr.s_addr = inet_addr("127.0.0.1")
          _ = withUnsafeBytes(of: &address) {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
          }
          let head = "GET \\(app.url.path)?\\(app.url.query ?? "") HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"
          _ = head.withCString { write(descriptor, $0, strlen($0)) }
          let answer = FileHandle(fileDescriptor: descriptor).readDataToEndOfFile()
          let body = answer.range(of: Data("\\r\\n\\r\\n".utf8)).map { answer[$0.upperBound...] }
          DispatchQueue.main.async { end(body) }
      """
    #expect(try await passed("SessionAPI", socket) == [])
  }
}
