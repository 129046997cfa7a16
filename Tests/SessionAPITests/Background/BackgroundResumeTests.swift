// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// BG-33 and on: what background tasks leave when they end early, and what was measured of them.
@Suite(.exitTests, .serialized) struct BackgroundResumeTests {
  private static func configuration() -> URLSessionConfiguration { .background(withIdentifier: UUID().uuidString) }

  /// A task that was cancelled after its first bytes, and what it left.
  private static func cut(_ configuration: URLSessionConfiguration) async throws -> (Fixture, Data) {
    let handed = EventLog<Data?>()
    let isFirst = Locked(true)
    let reactions = Reactions(written: { task in
      if isFirst.withLock({ $0.take() }) { task.cancel { handed.append($0) } }
    })
    let fixture = try Fixture([PartRoutes.held("/file")], reactions, configuration: configuration)
    fixture.session.downloadTask(with: try fixture.url("/file")).resume()
    try await fixture.recorder.log.wait { $0.ends == 1 }
    #expect(fixture.recorder.log.all.contains(.complete(-999)))
    return (fixture, try #require(try await handed.wait { !$0.isEmpty }.first ?? nil))
  }

  @Test func `a download that was cancelled leaves resume data, with which another session goes on (BG-33)`()
    async throws
  {
    let (fixture, data) = try await Self.cut(Self.configuration())
    let sum = BodySum()
    let recorder = Recorder(Reactions(file: { sum.add((try? Data(contentsOf: $1)) ?? Data()) }))
    let session = URLSession(configuration: .default, delegate: recorder, delegateQueue: nil)
    session.downloadTask(withResumeData: data).resume()
    try await recorder.log.wait { $0.ends == 1 }
    session.finishTasksAndInvalidate()
    #expect(sum.value == PartRoutes.checksum)
    let requests = fixture.server.log.snapshot().requests(for: "/file")
    #expect(requests.map { $0["If-Range"] } == [nil, "\"v1\""])
    _ = try await fixture.events()
  }

  @Test func `a background session goes on with resume data, and tells where (BG-33)`() async throws {
    let configuration = Self.configuration()
    let (fixture, data) = try await Self.cut(configuration)
    let task = fixture.session.downloadTask(withResumeData: data)
    task.resume()
    let events = try await fixture.events(after: 2)
    #expect(events.filter { $0.kind == "complete" } == [.complete(-999), .complete(nil)])
    #expect(events.contains { $0.kind == "resumed" })
    #expect(task.countOfBytesReceived == PartRoutes.size)
    let requests = fixture.server.log.snapshot().requests(for: "/file")
    #expect(requests.map { $0["If-Range"] } == [nil, "\"v1\""])
    // It serves once.
    let other = try Fixture(configuration: Self.configuration())
    let late = other.session.downloadTask(withResumeData: data)
    late.resume()
    _ = try await other.events()
    #expect((late.error as? URLError)?.code == .cannotOpenFile)
  }

  @Test func `a new session continues two downloads that are resumed before the agent has answered (BG-37)`()
    async throws
  {
    let parts = [try await Self.cut(Self.configuration()), try await Self.cut(Self.configuration())]
    let recorder = Recorder()
    let session = URLSession(configuration: Self.configuration(), delegate: recorder, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let tasks = parts.map { session.downloadTask(withResumeData: $0.1) }
    for task in tasks { task.resume() }
    let events = try await recorder.log.wait { $0.ends == 2 }
    #expect(events.filter { $0.kind == "complete" } == [.complete(nil), .complete(nil)])
    #expect(events.count { $0.kind == "resumed" } == 2)
    #expect(tasks.map(\.countOfBytesReceived) == [PartRoutes.size, PartRoutes.size])
    for (fixture, _) in parts { _ = try await fixture.events() }
  }

  @Test func `a download whose time is over leaves resume data in its error (BG-34)`() async throws {
    // The time runs while the agent starts, too; on a loaded machine it may be over before the first part came.
    for seconds in [2.0, 8, 32] {
      let configuration = Self.configuration()
      configuration.timeoutIntervalForResource = seconds
      let fixture = try Fixture([PartRoutes.held("/file")], configuration: configuration)
      let task = fixture.session.downloadTask(with: try fixture.url("/file"))
      task.resume()
      let events = try await fixture.events()
      #expect(events.contains(.complete(-1001)))
      guard events.contains(where: { $0.kind == "written" }) || seconds == 32 else { continue }
      let data = try #require((task.error as? URLError)?.downloadTaskResumeData)
      fixture.server.open(gate: "rest")
      let outcome: Outcome<URL> = await URLSession.shared.outcome {
        URLSession.shared.downloadTask(withResumeData: data, completionHandler: $0)
      }
      #expect(outcome.status == 206)
      break
    }
  }

  /// A delegate that keeps metrics.
  private final class Meter: NSObject, URLSessionDownloadDelegate {
    let log = EventLog<URLSessionTaskMetrics>()

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) { log.append(metrics) }
  }

  @Test func `the metrics are those of the agent's requests, and no journal has their credentials (BG-35)`()
    async throws
  {
    let server = LessonServer(routes: [
      Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/ok")]))),
      Route("/ok", script: .response(.text("ok"))),
    ])
    try server.start()
    let meter = Meter()
    let session = URLSession(configuration: Self.configuration(), delegate: meter, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: server.url("/from"))))
    request.setValue("here", forHTTPHeaderField: "X-Kept")
    let task = session.downloadTask(with: request)
    task.resume()
    let metrics = try #require(try await meter.log.wait { !$0.isEmpty }.first)
    #expect(metrics.redirectCount == 1)
    #expect(metrics.transactionMetrics.map { $0.request.url?.path } == ["/from", "/ok"])
    #expect(metrics.transactionMetrics.map { ($0.response as? HTTPURLResponse)?.statusCode } == [302, 200])
    for transaction in metrics.transactionMetrics {
      #expect(transaction.networkProtocolName == "http/1.1")
      #expect(transaction.remoteAddress == "127.0.0.1" && transaction.remotePort == request.url?.port)
      #expect(transaction.request.value(forHTTPHeaderField: "X-Kept") == "here")
      let (begin, end) = (try #require(transaction.requestStartDate), try #require(transaction.responseEndDate))
      #expect(metrics.taskInterval.start <= begin && begin <= end && end <= metrics.taskInterval.end)
    }
    #expect(metrics.transactionMetrics.last?.countOfResponseBodyBytesReceived == 2)
  }

  @Test func `an upload's response of any size takes no memory of the program's own (BG-36)`() async throws {
    await #expect(processExitsWith: .success) {
      let size: Int64 = 64 << 20
      let large = Route("/large", script: .response(Response(body: .seeded(seed: 3, range: 0..<size))))
      let (sum, growth) = (BodySum(), Locked(0))
      let directory = try TestDirectory()
      let file = directory.url.appending(path: "body")
      try Data("body".utf8).write(to: file)
      let before = Self.ownMemory
      let reactions = Reactions(data: { _, data in
        sum.add(data)
        growth.withLock { $0 = max($0, Self.ownMemory - before) }
      })
      let fixture = try Fixture([large], reactions, configuration: Self.configuration())
      fixture.session.uploadTask(with: try fixture.request("/large", method: "POST"), fromFile: file).resume()
      _ = try await fixture.events()
      #expect(sum.value == SeededBody.checksum(seed: 3, size: size))
      #expect(growth.withLock { $0 } < 32 << 20 || !TestMachine.keepsTime)
    }
  }

  /// Bytes of memory that belong to this process alone and to no file.
  private static var ownMemory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
  }
}

extension Bool {
  /// True if it is true, for the last time.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
