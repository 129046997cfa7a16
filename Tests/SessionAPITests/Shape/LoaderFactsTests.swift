// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.6, B.13 and B.16: what the loader adds, joins, counts and limits.
@Suite struct LoaderFactsTests {
  @Test func `what every request says, and what a body without a type is called (B.16)`() async throws {
    let fixture = try Fixture()
    _ = try await fixture.session.data(from: try fixture.url("/ok"))
    _ = try await fixture.session.upload(for: try fixture.request("/upload", method: "POST"), from: Data([1]))
    let requests = fixture.server.log.snapshot().requests
    for request in requests {
      #expect(request["Accept"] == "*/*")
      #expect(request["Accept-Encoding"] == "gzip, deflate")
      #expect(request["Host"] == "127.0.0.1:\(fixture.server.port)")
    }
    #expect(requests.map { $0["Content-Type"] } == [nil, "application/x-www-form-urlencoded"])
  }

  @Test func `fields of one name are joined, and found in any case (B.16)`() async throws {
    let fields = [HeaderField("X-Twice", "a"), HeaderField("x-twice", "b"), HeaderField("X-Other", "c")]
    let fixture = try Fixture([Route("/", script: .response(Response(fields: fields)))])
    let (_, response) = try await fixture.session.data(from: try fixture.url("/"))
    let http = try #require(response as? HTTPURLResponse)
    #expect(http.value(forHTTPHeaderField: "X-TWICE") == "a, b")
    #expect(http.value(forHTTPHeaderField: "x-other") == "c")
  }

  @Test func `fields that belong to the connection are the loader's (B.16)`() async throws {
    let fixture = try Fixture()
    var request = try fixture.request("/echo")
    for name in ["Connection", "Host", "Proxy-Authorization", "Proxy-Connection", "Content-Length", "TE"] {
      request.setValue("mine", forHTTPHeaderField: name)
    }
    _ = try await fixture.session.data(for: request)
    let seen = try #require(fixture.server.log.snapshot().requests.first)
    #expect(!seen.fields.contains { $0.value == "mine" })
  }

  @Test(.enabled(if: TestMachine.keepsTime))
  func `no idle time runs while an answer of the delegate is awaited, nor while the task is suspended (B.16)`()
    async throws
  {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1
    let held = EventLog<@Sendable () -> Void>()
    let reactions = Reactions(
      redirect: { request, answer in held.append { answer(request) } },
      response: { _, answer in held.append { answer(.allow) } })
    let fixture = try Fixture(Route.standard, reactions, configuration: configuration)
    let task = fixture.session.dataTask(with: try fixture.url("/redirect/302?to=/ok"))
    task.resume()
    for number in 1...2 {
      let answer = try #require(try await held.wait { $0.count == number }.last)
      // The pause is the point: it is longer than the idle time.
      try await Task.sleep(for: .seconds(1.5))
      answer()
    }
    let events = try await fixture.events()
    #expect(events.contains(.complete(nil)))
    let suspended = try Fixture(Route.standard, configuration: configuration)
    let sleeper = suspended.session.dataTask(with: try suspended.url("/wait?seconds=2"))
    sleeper.resume()
    sleeper.suspend()
    // The pause is the point here, too: suspended for longer than the idle time, the task must not end.
    try await Task.sleep(for: .seconds(1.5))
    #expect(sleeper.state == .suspended && sleeper.error == nil)
    sleeper.cancel()
    #expect(try await suspended.events().contains(.complete(-999)))
  }

  @Test func `twenty redirects are followed, one more ends with -1007 (B.13)`() async throws {
    let route = Route("/*") { request in
      let left = Int(request.head.path.dropFirst()) ?? 0
      guard left > 0 else { return .response(.text("ok")) }
      return .response(Response(302, fields: [HeaderField("Location", "/\(left - 1)")]))
    }
    let fixture = try Fixture([route])
    let (data, _) = try await fixture.session.data(from: try fixture.url("/20"))
    #expect(data == Data("ok".utf8))
    let error = await #expect(throws: URLError.self) { try await fixture.session.data(from: try fixture.url("/21")) }
    #expect(error?.code == .httpTooManyRedirects)
  }

  @Test(arguments: [300, 304]) func `these are responses and no redirects (B.13)`(status: Int) async throws {
    let answer = Response(status, fields: [HeaderField("Location", "/ok")])
    let fixture = try Fixture([Route("/", script: .response(answer))] + Route.standard)
    let (_, response) = try await fixture.session.data(from: try fixture.url("/"))
    #expect((response as? HTTPURLResponse)?.statusCode == status)
    #expect(fixture.server.log.snapshot().requests.count == 1)
  }

  @Test func `the response may come before the body was sent (B.6)`() async throws {
    let early = Route(
      "/", answer: .early { _ in Script([.response(.text("no", 413)), .end(.fin)], readsBodyFirst: false) })
    let fixture = try Fixture([early])
    let body = Data(count: 4 << 20)
    let (data, response) = try await fixture.session.upload(
      for: try fixture.request("/", method: "POST"), from: body)
    #expect((response as? HTTPURLResponse)?.statusCode == 413 && data == Data("no".utf8))
  }
}
