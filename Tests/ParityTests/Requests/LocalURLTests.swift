// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// B.16: `data:` and `file:` URLs, in both APIs.
@Suite struct LocalURLTests {
  private func load(_ url: String, on face: Face) async throws -> Observation.Facts {
    let facts = await Client.load(URLRequest(url: try #require(URL(string: url))), on: face)
    #expect(facts.ends == 1)
    #expect(facts.late == 0)
    return facts
  }

  @Test(arguments: Face.allCases) func `a data URL is its own response (B.16)`(face: Face) async throws {
    let small = try await load("data:text/plain;base64,aGVsbG8=", on: face)
    #expect(small.error == nil)
    #expect(small.body == Array("hello".utf8))
    let body = SeededBody(seed: 1).bytes(0..<300_000)
    let large = try await load("data:;base64," + Data(body).base64EncodedString(), on: face)
    #expect(large.error == nil)
    #expect(BodyChecksum(of: large.body).value == BodyChecksum(of: body).value)
    #expect((try await load("data:nothing", on: face).error as? URLError)?.code == .badURL)
  }

  @Test(
    arguments: Face.allCases,
    ["data:base64,aGk=", "data:a/b/c,x", "data:/b,x", "data:a/,x", "data:a%20b/c,x", "data:a_b;charset=c,x"])
  func `a data URL whose media type is none is refused (B.16)`(face: Face, url: String) async throws {
    let facts = try await load(url, on: face)
    #expect((facts.error as? URLError)?.code == .badURL)
    #expect(facts.body == [] && facts.status == nil)
  }

  @Test(arguments: Face.allCases) func `a file is read, and what is none is refused with its own code (B.16)`(
    face: Face
  )
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "LocalURLTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let body = SeededBody(seed: 2).bytes(0..<3_000_000)
    let file = folder.appending(path: "a b.txt")
    try Data(body).write(to: file)
    let facts = try await load(file.absoluteString, on: face)
    #expect(facts.error == nil)
    #expect(BodyChecksum(of: facts.body).value == BodyChecksum(of: body).value)
    // The loaded file is still there.
    #expect(try Data(contentsOf: file).count == body.count)
    #expect((try await load(folder.absoluteString, on: face).error as? URLError)?.code == .fileIsDirectory)
    let missing = folder.appending(path: "none").absoluteString
    #expect((try await load(missing, on: face).error as? URLError)?.code == .fileDoesNotExist)
    #expect((try await load("file://elsewhere/etc/hostname", on: face).error as? URLError)?.code == .fileDoesNotExist)
  }

  @Test(arguments: Face.allCases, ["file:///etc/hostname", "data:,x"])
  func `a redirect never leads to a local URL (RD-02)`(face: Face, target: String) async throws {
    let server = LessonServer(routes: Route.standard)
    try server.start()
    let facts = try await load(server.url("/redirect/302?to=\(target)"), on: face)
    #expect((facts.error as? URLError)?.code == .unsupportedURL)
    #expect(facts.body == [])
  }
}
