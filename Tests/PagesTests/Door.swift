// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import Glibc
import LessonKit
import Lessons
import Reports
import TestSupport

@testable import Pages

/// A site of one test's own, in folders of its own, and a browser that has its token.
final class Door: Sendable {
  let site: LessonSite
  let folder: TestDirectory
  let student: StudentFolder
  let course: ExerciseCourse
  let token: String

  private init() throws {
    folder = try TestDirectory()
    student = StudentFolder(folder.url.appendingPathComponent("exercises").path)
    let root = LessonText(environment: [:]).root
    course = try ExerciseCourse(folder: root)
    var settings = SiteSettings(
      lessons: Course.catalog.lessons, course: course, student: student,
      runs: folder.url.appendingPathComponent("runs").path, language: .english,
      catalogue: { try StringCatalogue($0, root: root) },
      behaviour: { () throws(LessonKitError) in try BehaviourTable(below: root) },
      page: { catalogue in
        HTMLReport.Setting(catalogue: catalogue) { id in
          guard let lesson = Course.catalog.lessons.first(where: { $0.id == id }) else { return nil }
          return LessonMaterial(
            markdown: try LessonText(root: root).text(of: lesson, in: catalogue.language),
            prediction: lesson.prediction)
        }
      })
    settings.executable =
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("workbench").path
    site = try LessonSite(settings)
    token = site.link.split(separator: "=").last.map(String.init) ?? ""
  }

  /// Serves while `body` visits; when it has returned, the site has ended with all that ran.
  static func open(_ body: @escaping @Sendable (Door) async throws -> Void) async throws {
    let door = try Door()
    let serving = Task { try await door.site.run() }
    do {
      try await body(door)
    } catch {
      serving.cancel()
      _ = await serving.result
      throw error
    }
    serving.cancel()
    _ = await serving.result
  }

  var host: String { "127.0.0.1:\(site.port)" }
  var cookie: String { "Cookie: workbench-\(site.port)=\(token)" }

  /// The head of a request by a browser that got in, without its last empty line.
  func head(_ line: String, _ fields: [String] = []) -> String {
    (["\(line) HTTP/1.1", "Host: \(host)", cookie] + fields).joined(separator: "\r\n") + "\r\n"
  }

  /// What these bytes are answered with.
  func answer(to text: String) async -> Answer {
    guard let visitor = Visitor(site.port) else { return Answer("") }
    await visitor.send(Array(text.utf8))
    return Answer(await visitor.read())
  }

  /// A page.
  func get(_ path: String, _ fields: [String] = []) async -> Answer {
    await answer(to: head("GET \(path)", fields) + "\r\n")
  }

  /// What a form's button does.
  func post(_ path: String, _ form: String = "", _ fields: [String]? = nil) async -> Answer {
    let fields = (fields ?? ["Origin: http://\(host)"]) + ["Content-Length: \(form.utf8.count)"]
    return await answer(to: head("POST \(path)", fields) + "\r\n" + form)
  }

  /// Lets the kernel hold as little as it can of what the site sends from now on, so that a browser that does not read
  /// holds its answer up at once: accepted connections take the size from the socket that listens.
  func narrow() {
    for descriptor in 0..<Int32(1024) {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
      }
      guard isNamed, address.sin_port == site.port.bigEndian else { continue }
      var room: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// The run's event stream, from the place on that is said.
  func stream(_ place: String) async -> Visitor? { await events("/run/events?from=\(place)") }

  /// An event stream.
  func events(_ path: String) async -> Visitor? {
    let visitor = Visitor(site.port)
    await visitor?.send(Array((head("GET \(path)") + "\r\n").utf8))
    return visitor
  }
}

/// An answer as its bytes say it.
struct Answer: Sendable {
  let status: Int
  let head: String
  let body: String

  init(_ text: String) {
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
    head = parts.first ?? ""
    body = parts.count == 2 ? parts[1] : ""
    status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  /// The value of a field; empty where it is missing.
  func field(_ name: String) -> String {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
    return line.map { String($0.dropFirst(name.count + 2)) } ?? ""
  }
}
