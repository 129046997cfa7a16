// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// BG-01 and on: sessions whose transfers another process makes, within one life of the program.
@Suite struct BackgroundSessionTests {
  private static func configuration(_ name: String = #function) -> URLSessionConfiguration {
    .background(withIdentifier: "\(name) \(UUID().uuidString)")
  }

  @Test func `a download is made by the agent, and its file given to the delegate (BG-01)`() async throws {
    let sum = BodySum()
    let reactions = Reactions(file: { sum.add((try? Data(contentsOf: $1)) ?? Data()) })
    let fixture = try Fixture([PartRoutes.held("/file")], reactions, configuration: Self.configuration())
    fixture.server.open(gate: "rest")
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    task.resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "written", "file", "complete", "invalid"])
    #expect(events.contains(.complete(nil)))
    #expect(sum.value == PartRoutes.checksum)
    #expect(task.countOfBytesReceived == PartRoutes.size)
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(task.state == .completed)
    let sender = fixture.server.log.snapshot().requests.first?["User-Agent"] ?? ""
    #expect(sender.contains(" workbench/") && !sender.contains("agent"), "\(sender)")
  }

  @Test func `a file is uploaded by the agent, and the answer given as data (BG-02)`() async throws {
    let (directory, answer) = (try TestDirectory(), Locked(Data()))
    let file = directory.url.appending(path: "body")
    try Data(SeededBody(seed: 4).bytes(0..<1_000_000)).write(to: file)
    let reactions = Reactions(data: { _, data in answer.withLock { $0 += data } })
    let fixture = try Fixture(Route.standard, reactions, configuration: Self.configuration())
    let task = fixture.session.uploadTask(with: try fixture.request("/upload", method: "POST"), fromFile: file)
    task.resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "sent", "data", "complete", "invalid"])
    #expect(events.contains(.complete(nil)))
    #expect(task.countOfBytesSent == 1_000_000)
    let text = String(decoding: answer.withLock { $0 }, as: UTF8.self)
    #expect(text.contains("1000000"))
  }

  @Test func `a redirect is followed without a question, and a status is no error (BG-03)`() async throws {
    let routes = [
      Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/missing")]))),
      Route("/missing", script: .response(.text("none", 404))),
    ]
    let fixture = try Fixture(routes, configuration: Self.configuration())
    let task = fixture.session.downloadTask(with: try fixture.url("/from"))
    task.resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "written", "file", "complete", "invalid"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 404)
    #expect(task.currentRequest?.url?.path == "/missing")
    #expect(task.originalRequest?.url?.path == "/from")
  }

  @Test func `a lost connection is no end, the agent asks for the rest (BG-04)`() async throws {
    let route = PartRoutes.cut("/file") { .response(PartRoutes.answer($0)) }
    let sum = BodySum()
    let reactions = Reactions(file: { sum.add((try? Data(contentsOf: $1)) ?? Data()) })
    let fixture = try Fixture([route], reactions, configuration: Self.configuration())
    fixture.session.downloadTask(with: try fixture.url("/file")).resume()
    let events = try await fixture.events()
    #expect(events.contains(.complete(nil)))
    #expect(sum.value == PartRoutes.checksum)
    let ranges = fixture.server.log.snapshot().requests(for: "/file").map { $0["If-Range"] }
    #expect(ranges == [nil, "\"v1\""])
  }

  @Test func `a cancelled task ends with −999 and its transfer with it (BG-05)`() async throws {
    let reactions = Reactions(written: { $0.cancel() })
    let configuration = Self.configuration()
    let fixture = try Fixture([PartRoutes.held("/file")], reactions, configuration: configuration)
    fixture.session.downloadTask(with: try fixture.url("/file")).resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "written", "complete", "invalid"])
    #expect(events.contains(.complete(-999)))
    try await Self.isForgotten(configuration)
  }

  @Test func `invalidating by cancelling forgets every task (BG-06)`() async throws {
    let configuration = Self.configuration()
    let fixture = try Fixture([PartRoutes.held("/file")], configuration: configuration)
    for _ in 0..<3 { fixture.session.downloadTask(with: try fixture.url("/file")).resume() }
    try await fixture.recorder.log.wait { $0.count { $0.kind == "written" } >= 3 }
    fixture.session.invalidateAndCancel()
    let events = try await fixture.recorder.log.wait { $0.isInvalid }
    #expect(events.count { $0 == .complete(-999) } == 3)
    try await Self.isForgotten(configuration)
  }

  /// The agent removes the folder of a session that has no task and no client.
  private static func isForgotten(_ configuration: URLSessionConfiguration) async throws {
    let folder = Places().folder(of: try #require(configuration.identifier))
    try await eventually { !FileManager.default.fileExists(atPath: folder.path) }
  }

  @Test func `a suspended task stops and goes on (BG-07)`() async throws {
    let fixture = try Fixture([PartRoutes.held("/file")], configuration: Self.configuration())
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    task.resume()
    try await fixture.recorder.log.wait { $0.contains { $0.kind == "written" } }
    task.suspend()
    #expect(await fixture.session.allTasks.map(\.taskIdentifier) == [1])
    fixture.server.open(gate: "rest")
    task.resume()
    #expect(try await fixture.events().contains(.complete(nil)))
  }

  @Test func `an error of the agent's load is the task's error (BG-08)`() async throws {
    let fixture = try Fixture(Route.standard, configuration: Self.configuration())
    let port = ClosedPort()
    let url = try #require(URL(string: port.url))
    let task = fixture.session.downloadTask(with: url)
    task.resume()
    #expect(try await fixture.events().contains(.complete(-1004)))
    #expect((task.error as? URLError)?.failingURL == url)
  }

  @Test func `a background configuration has Apple's values (BG-09)`() {
    let configuration = URLSessionConfiguration.background(withIdentifier: "name")
    #expect(configuration.identifier == "name")
    #expect(URLSession(configuration: configuration).configuration.identifier == "name")
    #expect(configuration.urlCache == nil)
    #expect(configuration.waitsForConnectivity)
    #expect(URLSessionConfiguration.default.identifier == nil)
  }
}
