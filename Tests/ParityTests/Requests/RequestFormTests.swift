// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// How a request's body and fields decide about its form, or against its being sent: B.6 and B.12.
@Suite struct RequestFormTests {
  private func load(
    _ face: Face, _ change: (inout URLRequest) -> Void
  ) async throws -> (facts: Observation.Facts, requests: [RequestRecord]) {
    let server = LessonServer()
    try server.start()
    defer { server.stop() }
    var request = URLRequest(url: try #require(URL(string: server.url("/echo"))))
    change(&request)
    let facts = await Client.load(request, on: face)
    return (facts, server.log.settled(within: .seconds(TestMachine.patience)).requests)
  }

  @Test(arguments: Face.allCases, [nil, Data()])
  func `a POST without bytes says so, and has no type (B.6)`(face: Face, body: Data?) async throws {
    let (facts, requests) = try await load(face) { request in
      request.httpMethod = "POST"
      request.httpBody = body
    }
    #expect(facts.error == nil)
    #expect(requests.map { $0["Content-Type"] } == [nil])
    #expect(requests.map { $0["Content-Length"] } == ["0"])
  }

  @Test(arguments: Face.allCases) func `a GET with Data() is a GET (B.6)`(face: Face) async throws {
    let (facts, requests) = try await load(face) { $0.httpBody = Data() }
    #expect(facts.error == nil)
    #expect(requests.count == 1)
    #expect(requests.first?["Content-Length"] == nil)
  }

  @Test(arguments: Face.allCases) func `a GET with bytes fails with -1103 and Apple's words (B.12)`(face: Face)
    async throws
  {
    let (facts, requests) = try await load(face) { $0.httpBody = Data([1]) }
    let error = try #require(facts.error as? URLError)
    #expect(error.code == .dataLengthExceedsMaximum)
    #expect(error.localizedDescription == "resource exceeds maximum size")
    let explanation = "A GET request cannot have a body; use POST."
    #expect(error.userInfo["NSDebugDescription"] as? String == explanation)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription == explanation)
    #expect(requests.isEmpty)
  }

  /// NSURLConnection has no object for such a request: its initialiser is nil.
  @Test(arguments: Face.allCases.filter { $0 != .connection })
  func `a request without a URL fails with -1002 (B.12)`(face: Face) async throws {
    let (facts, _) = try await load(face) { request in
      // The toolchain's type traps on a change of a copy that has no URL.
      request.timeoutInterval = TestMachine.patience
      request.url = nil
    }
    let error = try #require(facts.error as? URLError)
    #expect(error.code == .unsupportedURL)
    #expect(error.localizedDescription.hasPrefix("unsupported URL"))
  }

  /// Without CR, LF and NUL, with which the toolchain's request drops the field.
  @Test(arguments: Face.allCases, ["a\u{1}b", "a\u{1B}[2Jb", "a\u{7F}"])
  func `a value with a control character other than HTAB is not sent (B.12)`(face: Face, value: String) async throws {
    let (facts, requests) = try await load(face) { $0.setValue(value, forHTTPHeaderField: "X-Mine") }
    #expect((facts.error as? URLError)?.code == .badURL)
    #expect(requests.isEmpty)
  }

  @Test(arguments: Face.allCases)
  func `a request says which program asks, and in which languages (B.16)`(face: Face) async throws {
    let (facts, requests) = try await load(face) { _ in }
    #expect(facts.error == nil)
    let request = try #require(requests.first)
    let program = try #require(Bundle.main.executableURL?.lastPathComponent)
    #expect(request["User-Agent"]?.hasPrefix("\(program)/unknown workbench/") == true)
    #expect(request["Accept-Language"]?.isEmpty == false)
  }

  @Test(arguments: Face.allCases)
  func `fields of the program's own take their places (B.16)`(face: Face) async throws {
    let (facts, requests) = try await load(face) { request in
      request.setValue("mine/1", forHTTPHeaderField: "user-agent")
      request.setValue("zh-Hans", forHTTPHeaderField: "Accept-Language")
    }
    #expect(facts.error == nil)
    let request = try #require(requests.first)
    let values = request.fields.filter { ["user-agent", "accept-language"].contains($0.name.lowercased()) }.map(\.value)
    #expect(values.sorted() == ["mine/1", "zh-Hans"])
  }

  @Test(arguments: Face.allCases) func `HTAB is sent (B.12)`(face: Face) async throws {
    let (facts, requests) = try await load(face) { $0.setValue("a\tb", forHTTPHeaderField: "X-Mine") }
    #expect(facts.error == nil)
    #expect(requests.map { $0["X-Mine"] } == ["a\tb"])
  }
}
