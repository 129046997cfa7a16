// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.6: uploads that are interrupted and go on, by themselves and by resume data.
@Suite struct ResumableUploadTests {
  private static let size: Int64 = 16 << 20
  private static let checksum = SeededBody.checksum(seed: 3, size: size)
  private static let body = Data(SeededBody(seed: 3).bytes(0..<size))
  /// Where a first request is cut. libcurl looks for what the server says after 100 pieces of 64 KiB at the latest, so the
  /// offer has come by then.
  private static let first: Int64 = 8_000_000
  private static let whole = UploadAnswer(bytes: size, checksum: checksum)

  /// The forms in which a body may be given.
  enum Source: CaseIterable { case data, file, stream }

  /// A server that takes such uploads, and a session.
  private final class Bench: NSObject, URLSessionDataDelegate {
    let server: LessonServer
    let directory: TestDirectory
    let uploads: ResumableUploads
    /// The offsets that the delegate was asked for, and the totals that it was told of.
    let offsets = Locked<[Int64]>([])
    let totals = Locked<[Int64]>([])
    let interim = Locked<(@Sendable (URLSessionTask) -> Void)?>(nil)
    let session = Locked<URLSession?>(nil)

    init(cuts: [Int64] = [], _ fault: ResumableUploads.Fault? = nil) throws {
      uploads = ResumableUploads(cuts: cuts, fault: fault)
      server = LessonServer(routes: uploads.routes() + Route.standard)
      directory = try TestDirectory()
      super.init()
      try server.start()
    }

    /// Runs `body` with a session whose delegate this is.
    func run(_ body: (URLSession) async throws -> Void) async throws {
      let session = URLSession(.ephemeral, delegate: self, queue: nil, directory: directory.url)
      defer { session.finishTasksAndInvalidate() }
      try await body(session)
    }

    func request(_ path: String = "/resumable") throws -> URLRequest {
      var request = URLRequest(url: try #require(URL(string: server.url(path))))
      request.httpMethod = "POST"
      request.setValue("kept", forHTTPHeaderField: "X-Field")
      return request
    }

    /// The course of the requests that the server saw on the resumable paths: methods with the offsets from which the rest
    /// came.
    var course: [String] {
      server.log.snapshot().requests.map { $0.method + ($0["Upload-Offset"].map { " \($0)" } ?? "") }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
      offsets.withLock { $0.append(-1) }
      completionHandler(InputStream(data: ResumableUploadTests.body))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
      completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      offsets.withLock { $0.append(offset) }
      completionHandler(InputStream(data: ResumableUploadTests.body.dropFirst(Int(offset))))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      totals.withLock { $0.append(totalBytesSent) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
      if response.statusCode == 104, let act = interim.withLock({ $0 }) { act(task) }
    }
  }

  private static func outcome(
    _ session: URLSession, _ bench: Bench, _ source: Source = .data
  ) async throws -> Outcome<Data> {
    let request = try bench.request()
    switch source {
    case .data: return await session.outcome { session.uploadTask(with: request, from: body, completionHandler: $0) }
    case .file:
      let file = bench.directory.url.appending(path: "body")
      try body.write(to: file)
      return await session.outcome { session.uploadTask(with: request, fromFile: file, completionHandler: $0) }
    case .stream: return Outcome(value: nil, status: nil, error: nil, isOnQueue: false)
    }
  }

  private static func answer(_ outcome: Outcome<Data>) throws -> UploadAnswer {
    #expect(outcome.error == nil && outcome.status == 200)
    return try JSONDecoder().decode(UploadAnswer.self, from: try #require(outcome.value))
  }

  // MARK: - By itself

  @Test(arguments: [Source.data, .file], [[first], [first, 5_000_000, 1]] as [[Int64]])
  func `an interrupted upload goes on by itself, and no byte is taken twice (B.6)`(
    source: Source, cuts: [Int64]
  ) async throws {
    let bench = try Bench(cuts: cuts)
    try await bench.run { session in
      let outcome = try await Self.outcome(session, bench, source)
      #expect(try Self.answer(outcome) == Self.whole)
    }
    let offsets = cuts.indices.map { cuts[...$0].reduce(0, +) }
    let rest: [String] = offsets.flatMap { ["HEAD", "PATCH \($0)"] }
    #expect(bench.course == ["POST"] + rest)
    let requests = bench.server.log.snapshot().requests
    #expect(requests.allSatisfy { $0["X-Field"] == "kept" && $0["Upload-Draft-Interop-Version"] == "6" })
    #expect(requests.filter { $0.method == "PATCH" }.allSatisfy { $0["Content-Type"] == "application/partial-upload" })
    #expect(bench.totals.withLock { $0.last } == Self.size)
  }

  @Test func `the rest of a stream is asked for from where the server is (B.6)`() async throws {
    let bench = try Bench(cuts: [Self.first, 2_000_000])
    let log = EventLog<Int?>()
    try await bench.run { session in
      let task = session.uploadTask(withStreamedRequest: try bench.request())
      let completion = Completion(log)
      task.delegate = completion
      task.resume()
      let ends = try await log.wait { !$0.isEmpty }
      #expect(ends == [nil])
    }
    #expect(bench.offsets.withLock { $0 } == [-1, Self.first, Self.first + 2_000_000])
    #expect(bench.uploads.completed == (1, of: 1))
  }

  /// Notes the end of a task, and leaves all else to the session's delegate.
  private final class Completion: NSObject, URLSessionTaskDelegate {
    private let log: EventLog<Int?>
    init(_ log: EventLog<Int?>) { self.log = log }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.append((error as? URLError)?.errorCode)
    }
  }

  @Test func `a delegate without a stream for the rest ends the task with -1021 (B.6)`() async throws {
    let bench = try Bench(cuts: [Self.first])
    let recorder = Recorder(Reactions(bodyStream: { InputStream(data: Self.body) }))
    let session = URLSession(configuration: .ephemeral, delegate: recorder, delegateQueue: nil)
    session.uploadTask(withStreamedRequest: try bench.request()).resume()
    session.finishTasksAndInvalidate()
    let events = try await recorder.log.wait { $0.isInvalid }
    #expect(events.contains(.complete(-1021)))
    #expect(bench.course == ["POST", "HEAD"])
  }

  // MARK: - By resume data

  @Test(arguments: [Source.data, .file])
  func `an upload that is interrupted again and again ends with what it takes to go on (B.6)`(
    source: Source
  ) async throws {
    let bench = try Bench(cuts: [Self.first, 0, 0, 0, 0])
    try await bench.run { session in
      let failed = try await Self.outcome(session, bench, source)
      #expect(failed.error?.code == .networkConnectionLost)
      let data = try #require(failed.error?.uploadTaskResumeData)
      #expect(failed.error?.userInfo[NSURLSessionUploadTaskResumeData] as? Data == data)
      #expect(failed.error?.downloadTaskResumeData == nil)
      // Bytes in memory were put into a private file; it goes when it is not needed any more.
      let spooled = bench.directory.files.filter { $0 != "body" }
      #expect(spooled.count == (source == .data ? 1 : 0))
      for name in spooled {
        let facts = try FileManager.default.attributesOfItem(atPath: bench.directory.url.appending(path: name).path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
      }
      let task = session.uploadTask(withResumeData: data)
      #expect(task.countOfBytesExpectedToSend == Self.size)
      #expect(task.originalRequest?.url?.path == "/resumable")
      task.cancel()
      let again: Outcome<Data> = await session.outcome {
        session.uploadTask(withResumeData: data, completionHandler: $0)
      }
      #expect(try Self.answer(again) == Self.whole)
      try await eventually { bench.directory.files.allSatisfy { $0 == "body" } }
      let gone: Outcome<Data> = await session.outcome {
        session.uploadTask(withResumeData: data, completionHandler: $0)
      }
      if source == .data { #expect(gone.error?.code == .cannotOpenFile) }
    }
    let tries = Array(repeating: ["HEAD", "PATCH \(Self.first)"], count: 4).flatMap { $0 }
    #expect(Array(bench.course.prefix(9)) == ["POST"] + tries)
  }

  @Test func `a cancelled upload hands over resume data, before its completion with -999 (B.6)`() async throws {
    let bench = try Bench(.held("body"))
    try await bench.run { session in
      let produced = EventLog<Data?>()
      bench.interim.withLock { act in
        act = { ($0 as? URLSessionUploadTask)?.cancel(byProducingResumeData: { produced.append($0) }) }
      }
      let cancelled = try await Self.outcome(session, bench)
      #expect(cancelled.error?.code == .cancelled)
      let data = try #require(produced.all.first ?? nil)
      #expect(cancelled.error?.uploadTaskResumeData == data)
      bench.interim.withLock { $0 = nil }
      let again: Outcome<Data> = await session.outcome {
        session.uploadTask(withResumeData: data, completionHandler: $0)
      }
      #expect(try Self.answer(again) == Self.whole)
    }
    #expect(bench.course == ["POST", "HEAD", "PATCH 0"])
  }

  @Test func `where nothing is offered, nothing goes on, and there is no resume data (B.6)`() async throws {
    let bench = try Bench(cuts: [Self.first], .noOffer)
    try await bench.run { session in
      let failed = try await Self.outcome(session, bench)
      #expect(failed.error?.code == .networkConnectionLost && failed.error?.uploadTaskResumeData == nil)
    }
    #expect(bench.course == ["POST"])
    let silent = try Bench()
    try await silent.run { session in
      let task = session.uploadTask(with: try silent.request("/never"), from: Data([1]))
      task.resume()
      _ = silent.server.log.waitForRequests(1, within: .seconds(TestMachine.patience))
      #expect(await task.cancelByProducingResumeData() == nil)
    }
  }

  @Test func `a file that has changed since is not sent (B.6)`() async throws {
    let bench = try Bench(cuts: [Self.first, 0, 0, 0, 0])
    try await bench.run { session in
      let data = try #require(try await Self.outcome(session, bench, .file).error?.uploadTaskResumeData)
      try Data(count: Int(Self.size)).write(to: bench.directory.url.appending(path: "body"))
      let again: Outcome<Data> = await session.outcome {
        session.uploadTask(withResumeData: data, completionHandler: $0)
      }
      #expect(again.error?.code == .cannotOpenFile)
      let nothing: Outcome<Data> = await session.outcome {
        session.uploadTask(withResumeData: Data("x".utf8), completionHandler: $0)
      }
      #expect(nothing.error?.code == .unsupportedURL)
    }
    #expect(bench.uploads.completed == (0, of: 1))
  }

  // MARK: - Servers that are wrong

  @Test(arguments: [
    ResumableUploads.Fault.forgotten(404), .forgotten(200), .wrongOffset("-1"), .wrongOffset("99999999999"),
    .wrongOffset("1e3"), .wrongOffset(""), .wrongOffset("123456789012345678901"),
  ]) func `a server that does not know how much has come ends the upload with its first error (B.6)`(
    fault: ResumableUploads.Fault
  ) async throws {
    let bench = try Bench(cuts: [Self.first], fault)
    try await bench.run { session in
      let failed = try await Self.outcome(session, bench)
      #expect(failed.error?.code == .networkConnectionLost && failed.error?.uploadTaskResumeData == nil)
    }
    #expect(bench.course == ["POST", "HEAD"])
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "http:///x", "//[::1", "javascript:x"])
  func `a resource that leads elsewhere is no offer (B.6)`(location: String) async throws {
    let bench = try Bench(cuts: [Self.first], .location(location))
    try await bench.run { session in
      let failed = try await Self.outcome(session, bench)
      #expect(failed.error?.code == .networkConnectionLost)
    }
    #expect(bench.course == ["POST"])
  }

  @Test func `uploads alone make the offer, and a field of the user's own stays (B.6)`() async throws {
    let bench = try Bench()
    try await bench.run { session in
      var request = try bench.request("/upload")
      request.httpBody = Data([1])
      _ = try await session.data(for: request)
      _ = try await session.upload(for: request, from: Data([1]))
      request.setValue("?0", forHTTPHeaderField: "Upload-Complete")
      _ = try await session.upload(for: request, from: Data([1]))
    }
    let requests = bench.server.log.snapshot().requests
    #expect(requests.map { $0["Upload-Complete"] } == [nil, "?1", "?0"])
    #expect(requests.map { $0["Upload-Draft-Interop-Version"] } == [nil, "6", "6"])
  }
}
