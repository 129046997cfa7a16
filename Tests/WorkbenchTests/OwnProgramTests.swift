// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Subprocess
import SystemPackage
import Testing

/// `run FILE.swift`, as a person would use it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct OwnProgramTests {

  /// Runs a program with this body.
  private func run(
    _ body: String, imports api: String = "SessionAPI", _ arguments: String...
  ) async throws -> Command.Result {
    let source = """
      import \(api)
      import LessonKit

      enum Exercise {
        static func run(_ app: ExampleContext) {
          \(body)
        }
      }

      """
    return try await run(file: source, arguments)
  }

  private func run(file source: String, _ arguments: [String]) async throws -> Command.Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("mine.swift")
    try Data(source.utf8).write(to: file)
    return try await Command.run(["run", file.path] + arguments, environment: Command.cache)
  }

  private static let load = """
    URLSession.shared.dataTask(with: app.url) { data, _, _ in
          print(data?.count ?? 0)
          app.quit()
        }.resume()
        app.runApplication()
    """

  @Test func `a program of one's own is measured like an example, as often as wanted`() async throws {
    let result = try await run(Self.load, imports: "SessionAPI", "--size", "300KiB", "--repeat", "2", "--json")
    #expect(result.status == .exited(0), "\(result.errors)")
    let report = try JSONDecoder().decode(RunReport.self, from: Data(result.output.utf8))
    let lesson = try #require(report.lessons.first)
    #expect(lesson.id == "mine" && lesson.claims.isEmpty)
    #expect(lesson.examples.map(\.id) == ["session/mine", "session/mine"])
    for example in lesson.examples {
      #expect(example.outcome.kind == .finished && example.outcome.bytes == 300 << 10)
      #expect(example.callbacks.map(\.name) == ["completionHandler"])
      #expect(example.traffic.requests == 1 && example.traffic.sockets == 1, "the warm-up is not counted")
      #expect(example.memory.baseline > 0 && example.threads.before > 1, "the baseline follows a warm-up")
    }
  }

  @Test func `the same with a connection, as a table`() async throws {
    let result = try await run(
      "let data = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: app.url(\"/1k\")), returning: nil)"
        + "\n    print(data?.count ?? 0)", imports: "ConnectionAPI")
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.contains("mine"))
  }

  @Test func `a program of one's own may have a background session`() async throws {
    let result = try await run(
      """
      let session = URLSession(
            configuration: .background(withIdentifier: "mine"), delegate: Downloader(app), delegateQueue: nil)
          session.downloadTask(with: app.url("/1k")).resume()
          app.runApplication()
        }

        final class Downloader: NSObject, URLSessionDownloadDelegate, Sendable {
          let app: ExampleContext
          init(_ app: ExampleContext) { self.app = app }

          func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
            print("bytes", (try? Data(contentsOf: location).count) ?? -1)
          }

          func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            if let error { print(error) }
            app.quit()
          }
      """, "--verbose")
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.contains("bytes 1024"), "\(result.output)")
  }

  @Test func `a program that never ends, crashes or leaves is a result, with status 1`() async throws {
    let hang = try await run("app.runApplication()", imports: "SessionAPI", "--timeout", "1s")
    #expect(hang.status == .exited(1))
    #expect(hang.errors.contains("session/mine ran into the time limit"))
    let crash = try await run("fatalError(\"on purpose\")")
    #expect(crash.status == .exited(1))
    #expect(crash.errors.contains("crashed") && crash.errors.contains("on purpose"), "\(crash.errors)")
    let exit = try await run("exit(3)")
    #expect(exit.status == .exited(1))
    #expect(exit.errors.contains("status 3"))
  }

  @Test func `what does not compile is told in the compiler's words, with status 2`() async throws {
    let result = try await run("app.quitt()")
    #expect(result.status == .exited(2))
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("/mine.swift:6:9: error: value of type 'ExampleContext' has no member 'quitt'"))
    #expect(!result.errors.contains("workbench: "))
  }

  @Test func `a lesson's good example runs behind a program of one's own`() async throws {
    let result = try await run(Self.load, imports: "SessionAPI", "--beside", "4", "--size", "1MiB")
    #expect(result.status == .exited(0), "\(result.errors)")
    let own = try #require(result.output.range(of: "session/mine  "))
    let good = try #require(result.output.range(of: "session/download  "))
    #expect(own.lowerBound < good.lowerBound)
    #expect(result.output.components(separatedBy: "timeline ").count == 3, "of both")
    let ends = result.output.matches(of: /\ 0 ─+ (.+)/).map { String($0.output.1) }
    #expect(ends.count == 2 && ends.first == ends.last, "one time scale: \(ends)")
  }

  @Test func `--beside takes a part of a lesson's name, and an unexpected end of its example counts`() async throws {
    let result = try await run(Self.load, imports: "SessionAPI", "--beside", "modes", "--timeout", "1s")
    #expect(result.status == .exited(1))
    #expect(
      result.errors.contains("“modes” is taken for lesson-09 (run-loop-modes).")
        && result.errors.contains("lesson-09 connection/common-modes ran into the time limit"), "\(result.errors)")
    let unknown = try await Command.run("run", "none.swift", "--beside", "frobnicate")
    #expect(unknown.status == .exited(64))
    #expect(unknown.errors.hasPrefix("workbench: There is no lesson “frobnicate”"), "\(unknown.errors)")
  }

  @Test(arguments: [
    """
    import SessionAPI

    let url = URL(string: "http://127.0.0.1:9/")!
    let result = try await URLSession.shared.data(from: url)
    print(result.0.count)
    """,
    """
    @preconcurrency import ConnectionAPI

    let url = URL(string: "http://127.0.0.1:9/")!
    var response: URLResponse?
    let data = try NSURLConnection.sendSynchronousRequest(URLRequest(url: url), returning: &response)
    print(data.count)
    """,
  ])
  func `a program at top level is shown in the form that is started, which runs`(_ source: String) async throws {
    let refused = try await run(file: source, [])
    #expect(refused.status == .exited(2))
    let form = try #require(refused.errors.range(of: source.prefix { !$0.isNewline })).lowerBound
    let program = String(refused.errors[form...]).replacingOccurrences(
      of: "URL(string: \"http://127.0.0.1:9/\")!", with: "app.url(\"/1k\")")
    let result = try await run(file: program, [])
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.contains("1024"))
  }

  @Test func `a brace too many is told in the compiler's words`() async throws {
    let result = try await run("}\nprint(1)")
    #expect(result.status == .exited(2))
    #expect(result.errors.contains("/mine.swift:") && !result.errors.contains("in that form"), "\(result.errors)")
  }

  @Test func `a file that is not there, and a file beside a lesson, are usage errors`() async throws {
    let missing = try await Command.run("run", "none.swift")
    #expect(missing.status == .exited(64))
    #expect(missing.errors == "workbench: There is no file “none.swift”. Is the path right?\n")
    for arguments in [["5"], ["--all"], ["--side", "session"], ["--example", "mine"]] {
      #expect(try await Command.run(["run", "none.swift"] + arguments).status == .exited(64), "\(arguments)")
    }
  }

  @Test func `a machine without the compiler, or without a place for programs, lacks something`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID()).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("import SessionAPI\n".utf8).write(to: file)
    let noCompiler = try await Command.run(["run", file.path], environment: ["PATH": "/nowhere"])
    #expect(noCompiler.status == .exited(3))
    #expect(noCompiler.errors.contains("swiftc"))
    let noCache = try await Command.run(["run", file.path], environment: ["XDG_CACHE_HOME": "/proc/nowhere"])
    #expect(noCache.status == .exited(3))
    #expect(noCache.errors.contains("XDG_CACHE_HOME"))
  }
}
