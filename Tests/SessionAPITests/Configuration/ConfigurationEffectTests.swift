// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// The effects of B.4's properties on the tasks of a session.
@Suite struct ConfigurationEffectTests {
  private static let routes = [
    Route("/ok", script: .response(.text("ok"))),
    Route("/stalled", script: [.stall]),
    Route(
      "/body-drip",
      script: [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .pace(.drip(bytes: 1, pause: .milliseconds(50))),
        .repeated([0x48], times: nil),
      ]),
  ]

  private func code(of request: (Fixture) throws -> URLRequest, _ configuration: URLSessionConfiguration) async throws
    -> URLError.Code?
  {
    let fixture = try Fixture(Self.routes, configuration: configuration)
    let request = try request(fixture)
    let outcome: Outcome<Data> = await fixture.session.outcome {
      fixture.session.dataTask(with: request, completionHandler: $0)
    }
    return outcome.error?.code
  }

  @Test func `httpAdditionalHeaders go with every request, but the request's own win`() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.httpAdditionalHeaders = ["X-Both": "session", "X-Session": 1]
    let fixture = try Fixture(Self.routes, configuration: configuration)
    var request = try fixture.request("/ok")
    request.setValue("request", forHTTPHeaderField: "x-both")
    _ = try await fixture.session.data(for: request)
    let record = try #require(fixture.server.log.snapshot().requests(for: "/ok").first)
    #expect(record.fields.filter { $0.name.lowercased() == "x-both" }.map(\.value) == ["request"])
    #expect(record["X-Session"] == "1")
  }

  @Test func `timeoutIntervalForRequest ends a silent task with -1001`() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 0.3
    #expect(try await code(of: { try $0.request("/stalled") }, configuration) == .timedOut)
  }

  @Test func `a request's own time-out wins over the session's`() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 3600
    let request = { (fixture: Fixture) in
      var request = try fixture.request("/stalled")
      request.timeoutInterval = 0.3
      return request
    }
    #expect(try await code(of: request, configuration) == .timedOut)
  }

  @Test func `timeoutIntervalForResource ends a task that drips with -1001`() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 0.5
    #expect(try await code(of: { try $0.request("/body-drip") }, configuration) == .timedOut)
  }

  @Test(arguments: [Int.min, 0, 1, Int.max])
  func `any httpMaximumConnectionsPerHost lets tasks through (B.4)`(limit: Int) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = limit
    let fixture = try Fixture(configuration: configuration)
    let url = try fixture.url("/ok")
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<3 { group.addTask { try await fixture.session.data(from: url).0 } }
      for try await data in group { #expect(data == Data("ok".utf8)) }
    }
  }

  @Test func `httpMaximumConnectionsPerHost holds, and every task has its turn`() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = 2
    let fixture = try Fixture(Self.routes, configuration: configuration)
    let url = try fixture.url("/ok")
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<20 { group.addTask { try await fixture.session.data(from: url).0 } }
      for try await data in group { #expect(data == Data("ok".utf8)) }
    }
    #expect(fixture.server.log.counts.begun == 20)
    #expect(fixture.server.log.counts.opened <= 2)
  }
}
