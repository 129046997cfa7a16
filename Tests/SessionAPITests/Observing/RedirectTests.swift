// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// willPerformHTTPRedirection of B.9.
@Suite struct RedirectTests {
  private static let routes = [
    Route(
      "/from", script: .response(Response(302, fields: [HeaderField("Location", "/to")], body: .bytes([1, 2, 3])))),
    Route("/to", script: .response(.text("there"))),
    Route("/else", script: .response(.text("elsewhere"))),
  ]

  @Test func `the task follows when the delegate answers with the request given`() async throws {
    let fixture = try Fixture(Self.routes)
    let task = fixture.session.dataTask(with: try fixture.url("/from"))
    task.resume()
    let events = try await fixture.events()
    #expect(events == [.created, .redirect(302), .response(200), .data(5), .cached(5), .complete(nil), .invalid])
    #expect(task.originalRequest?.url?.path == "/from")
    #expect(task.currentRequest?.url?.path == "/to")
  }

  @Test func `nil makes the redirect itself the response, with its body`() async throws {
    let fixture = try Fixture(Self.routes, Reactions(redirect: { $1(nil) }))
    fixture.session.dataTask(with: try fixture.url("/from")).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .redirect(302), .response(302), .data(3), .complete(nil), .invalid])
  }

  @Test func `another request is sent instead`() async throws {
    let fixture = try Fixture(
      Self.routes,
      Reactions(redirect: { request, answer in
        var other = request
        other.url = URL(string: "/else", relativeTo: request.url)?.absoluteURL
        answer(other)
      }))
    fixture.session.dataTask(with: try fixture.url("/from")).resume()
    let events = try await fixture.events()
    #expect(events.dataBytes == 9)
    #expect(fixture.server.log.snapshot().requests(for: "/to").isEmpty)
  }

  @Test func `the answer may come late, from another thread, and only the first counts`() async throws {
    let answers = EventLog<(URLRequest, @Sendable (URLRequest?) -> Void)>()
    let fixture = try Fixture(Self.routes, Reactions(redirect: { answers.append(($0, $1)) }))
    fixture.session.dataTask(with: try fixture.url("/from")).resume()
    let (request, answer) = try await answers.wait { !$0.isEmpty }[0]
    Thread.detachNewThread {
      answer(request)
      answer(nil)
    }
    let events = try await fixture.events()
    #expect(events == [.created, .redirect(302), .response(200), .data(5), .cached(5), .complete(nil), .invalid])
  }

  @Test func `a handler task asks, too`() async throws {
    let fixture = try Fixture(Self.routes, Reactions(redirect: { $1(nil) }))
    let url = try fixture.url("/from")
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: url, completionHandler: $0)
    }
    #expect(outcome.status == 302)
    #expect(outcome.value == Data([1, 2, 3]))
  }

  /// A response that announces a body and is cut behind its head.
  private static func cut(_ head: String) -> Script {
    [.text("HTTP/1.1 \(head)\r\nContent-Length: 40\r\n\r\n"), .end(.fin)]
  }

  @Test(arguments: [false, true], ["", "\r\nSet-Cookie: a=b"])
  func `a redirect that is cut behind its head is followed, whenever the answer comes (RD-12)`(
    isLate: Bool, cookie: String
  ) async throws {
    let routes = [Route("/cut", script: Self.cut("302 Found\r\nLocation: /to\(cookie)")), Self.routes[1]]
    let answers = EventLog<(URLRequest, @Sendable (URLRequest?) -> Void)>()
    let fixture = try Fixture(
      routes, Reactions(redirect: { isLate ? answers.append(($0, $1)) : $1($0) }), configuration: .ephemeral)
    let task = fixture.session.dataTask(with: try fixture.url("/cut"))
    task.resume()
    if isLate {
      let (request, answer) = try await answers.wait { !$0.isEmpty }[0]
      // Long enough for the end of the connection to be read.
      try await Task.sleep(for: .milliseconds(100))
      answer(request)
    }
    let events = try await fixture.events()
    #expect(events == [.created, .redirect(302), .response(200), .data(5), .cached(5), .complete(nil), .invalid])
  }

  @Test(arguments: [false, true])
  func `a redirect that is cut behind its head and refused is a response that was cut (RD-12)`(isLate: Bool)
    async throws
  {
    let answers = EventLog<@Sendable (URLRequest?) -> Void>()
    let fixture = try Fixture(
      [Route("/cut", script: Self.cut("302 Found\r\nLocation: /to"))],
      Reactions(redirect: { isLate ? answers.append($1) : $1(nil) }))
    fixture.session.dataTask(with: try fixture.url("/cut")).resume()
    if isLate {
      let answer = try await answers.wait { !$0.isEmpty }[0]
      try await Task.sleep(for: .milliseconds(100))
      answer(nil)
    }
    let events = try await fixture.events()
    #expect(
      events == [.created, .redirect(302), .response(302), .complete(NSURLErrorNetworkConnectionLost), .invalid])
  }
}
