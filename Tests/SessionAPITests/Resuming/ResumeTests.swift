// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.7 and DL-01 to DL-10: downloads that stop and go on.
@Suite struct ResumeTests {
  private static let size = PartRoutes.size

  /// A download that is cancelled after its first bytes, by its delegate.
  private static func cancelled(
    _ route: Route, in directory: TestDirectory, data: EventLog<Data?>
  ) throws -> Fixture {
    let reactions = Reactions(written: { task in task.cancel { data.append($0) } })
    let fixture = try Fixture([route], reactions, directory: directory.url)
    fixture.session.downloadTask(with: try fixture.url("/file")).resume()
    return fixture
  }

  @Test func `cancelling by producing resume data gives it to the handler and in the error, and keeps the file (B.7)`()
    async throws
  {
    let (directory, data) = (try TestDirectory(), EventLog<Data?>())
    let failure = EventLog<URLError?>()
    let reactions = Reactions(
      written: { task in task.cancel { data.append($0) } },
      complete: { failure.append($1 as? URLError) })
    let fixture = try Fixture([PartRoutes.held("/file")], reactions, directory: directory.url)
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    task.resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "written", "complete", "invalid"])
    #expect(events.contains(.complete(-999)))
    let first = try #require(data.all.first ?? nil)
    #expect(data.all.count == 1)
    #expect(failure.all == [task.error as? URLError])
    #expect(failure.all.first??.downloadTaskResumeData == first)
    #expect(failure.all.first??.userInfo["NSURLSessionDownloadTaskResumeData"] as? Data == first)
    #expect(directory.files.count == 1)
    let text = String(decoding: first, as: UTF8.self)
    #expect(text.contains("<key>NSURLSessionResumeBytesReceived</key>"))
    #expect(text.contains(directory.files.first ?? "none"))
  }

  @Test func `a resumed download asks for the rest, says where it goes on, and gives the whole file (B.7)`()
    async throws
  {
    let (directory, data, sum) = (try TestDirectory(), EventLog<Data?>(), BodySum())
    let first = try Self.cancelled(PartRoutes.held("/file"), in: directory, data: data)
    _ = try await first.events()
    let recorder = Recorder(Reactions(file: { sum.add((try? Data(contentsOf: $1)) ?? Data()) }))
    let session = URLSession(.default, delegate: recorder, queue: nil, directory: directory.url)
    let task = session.downloadTask(withResumeData: try #require(data.all.first ?? nil))
    #expect(task.originalRequest?.url == (try first.url("/file")))
    task.resume()
    try await recorder.log.wait { $0.ends == 1 }
    session.finishTasksAndInvalidate()
    let events = try await recorder.log.wait { $0.isInvalid }
    #expect(events.order == ["created", "resumed", "written", "file", "complete", "invalid"])
    #expect(events.contains(.file(Int(Self.size))))
    #expect(sum.value == PartRoutes.checksum)
    #expect((task.response as? HTTPURLResponse)?.statusCode == 206)
    #expect((task.countOfBytesReceived, task.countOfBytesExpectedToReceive) == (Self.size, Self.size))
    try Self.expectExact(events, first.server.log.snapshot().requests(for: "/file"))
    #expect(directory.files == [])
  }

  /// The offset told, the pieces written and the range asked for agree.
  private static func expectExact(_ events: [Event], _ requests: [RequestRecord]) throws {
    let offset = events.compactMap { if case .resumed(let offset, size) = $0 { offset } else { nil } }.first
    var total = try #require(offset)
    #expect(total > 0)
    for case .written(let piece, let sum, let expected) in events {
      total += piece
      #expect((sum, expected) == (total, size))
    }
    #expect(total == size)
    #expect(requests.count == 2)
    #expect(requests.last?["Range"] == "bytes=\(offset ?? 0)-")
    #expect(requests.last?["If-Range"] == "\"v1\"")
    #expect(requests.last?["Accept-Encoding"] == "identity")
  }

  @Test func `a lost connection leaves resume data in the error, and the handler's form and await go on with it (B.7)`()
    async throws
  {
    let directory = try TestDirectory()
    let fixture = try Fixture(
      [PartRoutes.cut("/file") { .response(PartRoutes.answer($0)) }], directory: directory.url)
    let data = try await Self.lose(fixture)
    let (file, response) = try await fixture.session.download(resumeFrom: data)
    #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
    #expect((response as? HTTPURLResponse)?.statusCode == 206)
    // The file is the caller's now: the same data leads nowhere.
    try FileManager.default.removeItem(at: file)
    let again: Outcome<URL> = await fixture.session.outcome {
      fixture.session.downloadTask(withResumeData: data, completionHandler: $0)
    }
    #expect(again.error?.code == .cannotOpenFile)
    #expect(again.value == nil)
    #expect(directory.files == [])
  }

  /// The resume data of a download whose connection was lost.
  private static func lose(_ fixture: Fixture) async throws -> Data {
    let url = try fixture.url("/file")
    let outcome: Outcome<URL> = await fixture.session.outcome {
      fixture.session.downloadTask(with: url, completionHandler: $0)
    }
    #expect(outcome.error?.code == .networkConnectionLost)
    return try #require(outcome.error?.downloadTaskResumeData)
  }

  // MARK: What the server may answer

  /// Answers to a request for the rest that cannot be used.
  private static let useless: [(String, @Sendable (Request) -> Script)] = [
    ("DL-02 another version", { .response(PartRoutes.answer($0, fields: [HeaderField("ETag", "\"v2\"")])) }),
    ("DL-02 no validator", { .response(PartRoutes.answer($0, fields: [])) }),
    ("DL-05 wrong start", { .response(placed("bytes 7-\(size - 1)/\(size)", $0)) }),
    ("DL-05 only a length", { .response(placed("bytes */\(size)", $0)) }),
    ("DL-05 changed total", { .response(placed("bytes \(PartRoutes.first(of: $0))-\(size)/\(size + 1)", $0)) }),
    ("DL-05 no range", { .response(placed(nil, $0)) }),
    ("DL-05 another unit", { .response(placed("lines 1-2/3", $0)) }),
    ("DL-06 bogus 416", { _ in .response(Response(416, fields: [HeaderField("Content-Range", "bytes */7")])) }),
    (
      "DL-07 a coding",
      {
        .response(
          PartRoutes.answer($0, fields: [PartRoutes.tag, HeaderField("Content-Encoding", "gzip")]))
      }
    ),
  ]

  /// A 206 with this Content-Range.
  private static func placed(_ range: String?, _ request: Request) -> Response {
    let fields = [PartRoutes.tag] + (range.map { [HeaderField("Content-Range", $0)] } ?? [])
    return Response(206, fields: fields, body: PartRoutes.answer(request).body)
  }

  @Test(arguments: useless.map(\.0))
  func `an answer that does not fit is dropped, and the whole asked for (DL-02, DL-05, DL-06, DL-07)`(name: String)
    async throws
  {
    let answer = try #require(Self.useless.first { $0.0 == name }?.1)
    try await Self.expectRestart(PartRoutes.cut("/file", then: answer), requests: 3)
  }

  @Test func `a 200 in place of a 206 starts anew (DL-04)`() async throws {
    let route = PartRoutes.cut("/file") { _ in
      .response(Response(fields: [PartRoutes.tag], body: .seeded(seed: PartRoutes.seed, range: 0..<Self.size)))
    }
    try await Self.expectRestart(route, requests: 2)
  }

  private static func expectRestart(_ route: Route, requests: Int) async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture([route], directory: directory.url)
    let data = try await lose(fixture)
    let (file, response) = try await fixture.session.download(resumeFrom: data)
    #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(directory.files == [file.lastPathComponent])
    let log = fixture.server.log.snapshot().requests(for: "/file")
    #expect(log.count == requests)
    if requests == 3 { #expect(log.last?["Range"] == nil) }
  }

  @Test func `a delegate is told of a new start with the offset 0 (B.7)`() async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture([PartRoutes.cut("/file") { _ in .response(.text("new")) }], directory: directory.url)
    let data = try await Self.lose(fixture)
    fixture.session.downloadTask(withResumeData: data).resume()
    let events = try await fixture.events()
    #expect(events.contains(.resumed(offset: 0, expected: 3)))
    #expect(events.contains(.file(3)))
    #expect(directory.files == [])
  }

  @Test func `a file that turns out to be complete is finished with its last block (DL-06)`() async throws {
    // The length was unknown, and only the end of the chunks was missing.
    let directory = try TestDirectory()
    let whole = Response(
      fields: [PartRoutes.tag, PartRoutes.ranges], body: .seeded(seed: PartRoutes.seed, range: 0..<Self.size),
      framing: .chunked(100_000))
    let route = Route("/file") { request in
      guard request.head["Range"] == nil else { return .response(PartRoutes.answer(request)) }
      return Script([.bytes(whole.head)] + Self.chunks + [.end(.fin)])
    }
    let fixture = try Fixture([route], directory: directory.url)
    let data = try await Self.lose(fixture)
    let (file, _) = try await fixture.session.download(resumeFrom: data)
    #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
    let ranges = fixture.server.log.snapshot().requests(for: "/file").map { $0["Range"] }
    #expect(ranges == [nil, "bytes=\((Self.size - 1) / 4096 * 4096)-"])
  }

  /// The whole in chunks, without the last one.
  private static let chunks: [Step] =
    stride(from: 0, to: size, by: 100_000).flatMap { start in
      [Step.text("186a0\r\n"), .seeded(seed: PartRoutes.seed, range: start..<(start + 100_000)), .text("\r\n")]
    }

  /// The framing of a 206, and where it is cut: bytes of its body, or before its head's end.
  private static let cuts: [(Response.Framing, Int64)] =
    [.length, .chunked(100_000), .untilClose].flatMap { framing in [-2, 0, 1, 150_000].map { (framing, $0) } }

  @Test(arguments: cuts.indices)
  func `a 206 that is cut anywhere leaves resume data each time (B.7)`(number: Int) async throws {
    let (framing, count) = Self.cuts[number]
    let (directory, attempts) = (try TestDirectory(), Locked(0))
    let route = PartRoutes.cut("/file") { request in
      var answer = PartRoutes.answer(request)
      answer.framing = framing
      let isLast = attempts.withLock { attempts in
        attempts += 1
        return attempts > 4
      }
      return isLast ? .response(answer) : Script.response(answer).cut(after: Int64(answer.head.count) + count, by: .fin)
    }
    let fixture = try Fixture([route], directory: directory.url)
    var data = try await Self.lose(fixture)
    for attempt in 1...2 {
      let resumed = data
      let outcome: Outcome<URL> = await fixture.session.outcome {
        fixture.session.downloadTask(withResumeData: resumed, completionHandler: $0)
      }
      #expect(outcome.error?.code == .networkConnectionLost, "attempt \(attempt)")
      data = try #require(outcome.error?.downloadTaskResumeData, "attempt \(attempt)")
    }
    attempts.withLock { $0 = 4 }
    let (file, _) = try await fixture.session.download(resumeFrom: data)
    #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
  }

  @Test func `a download that started anew with a 200 can be resumed again (DL-04)`() async throws {
    let directory = try TestDirectory()
    let attempts = Locked(0)
    let route = PartRoutes.cut("/file") { request in
      let isFirst = attempts.withLock { attempts in
        attempts += 1
        return attempts == 1
      }
      guard isFirst else { return .response(PartRoutes.answer(request)) }
      let whole = Response(
        fields: [PartRoutes.tag, PartRoutes.ranges], body: .seeded(seed: PartRoutes.seed, range: 0..<Self.size))
      return Script.response(whole).cut(after: Self.size / 2, by: .fin)
    }
    let fixture = try Fixture([route], directory: directory.url)
    let data = try await Self.lose(fixture)
    let outcome: Outcome<URL> = await fixture.session.outcome {
      fixture.session.downloadTask(withResumeData: data, completionHandler: $0)
    }
    let again = try #require(outcome.error?.downloadTaskResumeData)
    let (file, response) = try await fixture.session.download(resumeFrom: again)
    #expect(BodySum.of(try Data(contentsOf: file)) == PartRoutes.checksum)
    #expect((response as? HTTPURLResponse)?.statusCode == 206)
  }

  // MARK: What cannot be resumed

  @Test(arguments: [
    [HeaderField("Accept-Ranges", "bytes")], [PartRoutes.tag], [HeaderField("ETag", "W/\"1\""), PartRoutes.ranges],
  ])
  func `without a strong validator or ranges there is no resume data, and no file (DL-03)`(fields: [HeaderField])
    async throws
  {
    let (directory, data) = (try TestDirectory(), EventLog<Data?>())
    let fixture = try Self.cancelled(PartRoutes.held("/file", fields: fields), in: directory, data: data)
    let events = try await fixture.events()
    #expect(events.contains(.complete(-999)))
    #expect(data.all == [nil])
    #expect(directory.files == [])
  }

  @Test func `before the response, after the end and after a plain cancel there is none (B.7)`() async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture([PartRoutes.held("/file")], directory: directory.url)
    fixture.server.open(gate: "rest")
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    #expect(await task.cancelByProducingResumeData() == nil)
    #expect(await task.cancelByProducingResumeData() == nil)
    let other = fixture.session.downloadTask(with: try fixture.url("/file"))
    other.cancel()
    #expect(await other.cancelByProducingResumeData() == nil)
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .complete(-999) } == 2)
    #expect(directory.files == [])
  }

  @Test(arguments: ["", "nonsense", "<plist version=\"1.0\"><dict/></plist>"])
  func `what is no resume data makes the task fail without a request (DL-08, B.12)`(text: String) async throws {
    let fixture = try Fixture()
    let task = fixture.session.downloadTask(withResumeData: Data(text.utf8))
    #expect(task.originalRequest == nil)
    #expect(task.currentRequest == nil)
    task.resume()
    let events = try await fixture.events()
    #expect(events == [.created, .complete(-1002), .invalid])
    #expect((task.error as? URLError)?.localizedDescription.hasPrefix("The download cannot be resumed.") == true)
  }

  @Test func `resume data of a task that never got an answer is as good as before (B.7)`() async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture(
      [PartRoutes.cut("/file") { .response(PartRoutes.answer($0)) }], directory: directory.url)
    let data = try await Self.lose(fixture)
    let suspended = fixture.session.downloadTask(withResumeData: data)
    #expect(await suspended.cancelByProducingResumeData() == data)
    let plain = fixture.session.downloadTask(withResumeData: data)
    plain.cancel()
    _ = try await fixture.events(after: 2)
    #expect(directory.files.count == 1)
  }
}
