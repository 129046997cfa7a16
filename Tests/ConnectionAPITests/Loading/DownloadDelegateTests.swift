// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// Api-facts A.7b and E12.
@Suite(.inOrder) struct DownloadDelegateTests {
  /// Keeps what it was told, a letter for each call: t written, D finished downloading, e error, and what a data delegate
  /// would hear.
  private final class Delegate: NSObject, NSURLConnectionDownloadDelegate, NSURLConnectionDataDelegate, Sendable {
    struct Record {
      var calls = ""
      var totals: [Int64] = []
      var pieces: Int64 = 0
      var expected: Set<Int64> = []
      var checksum: UInt64?
      var file: URL?
      var error: URLError?
    }

    let record = Locked(Record())
    private let hook: @Sendable (NSURLConnection, Character) -> Void

    init(hook: @escaping @Sendable (NSURLConnection, Character) -> Void = { _, _ in }) {
      self.hook = hook
    }

    private func note(_ letter: Character, _ connection: NSURLConnection, _ change: (inout Record) -> Void = { _ in }) {
      record.withLock { record in
        record.calls.append(letter)
        change(&record)
      }
      hook(connection, letter)
    }

    func connection(
      _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
      expectedTotalBytes: Int64
    ) {
      note("t", connection) { record in
        record.pieces += bytesWritten
        record.totals.append(totalBytesWritten)
        record.expected.insert(expectedTotalBytes)
      }
    }
    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
      note("D", connection) { record in
        record.file = destinationURL
        record.checksum = (try? Data(contentsOf: destinationURL)).map { BodyChecksum(of: $0).value }
      }
    }
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { note("r", connection) }
    func connection(_ connection: NSURLConnection, didReceive data: Data) { note("d", connection) }
    func connectionDidFinishLoading(_ connection: NSURLConnection) { note("f", connection) }
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      note("e", connection) { $0.error = error as? URLError }
    }
  }

  private func load(_ path: String, _ delegate: Delegate) async throws -> Delegate.Record {
    let server = try LessonServer.running([
      Route(
        "/cut",
        script: Script.response(Response(body: .seeded(seed: 1, range: 0..<4_000_000))).cut(after: 900_000, by: .rst))
    ])
    let request = try server.request(path)
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()  // ends with the load
    }
    return delegate.record.withLock { $0 }
  }

  @Test func `the body goes into a file that lives as long as the last call (A.7b)`() async throws {
    let record = try await load("/body?size=3MiB&seed=4", Delegate())
    #expect(record.calls.filter { $0 != "t" } == "rD")
    #expect(record.calls.last == "D")
    #expect(record.checksum == SeededBody.checksum(seed: 4, size: 3 << 20))
    #expect(record.pieces == 3 << 20)
    #expect(record.totals.last == 3 << 20)
    #expect(record.totals == record.totals.sorted())
    #expect(record.expected == [3 << 20])
    let file = try #require(record.file)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `the expected total is 0 when the server does not tell (A.7b)`() async throws {
    let record = try await load("/body?size=700KiB&seed=4&length=none", Delegate())
    #expect(record.expected == [0])
    #expect(record.checksum == SeededBody.checksum(seed: 4, size: 700 << 10))
  }

  @Test func `an empty body is an empty file (A.7b)`() async throws {
    let record = try await load("/body?size=0", Delegate())
    #expect(record.calls == "rD")
    #expect(record.checksum == BodyChecksum().value)
  }

  @Test func `a failure is a failure, and leaves no file (A.7b)`() async throws {
    let record = try await load("/cut", Delegate())
    #expect(record.calls.last == "e")
    #expect(record.error?.code == .networkConnectionLost)
    #expect(record.file == nil)
  }

  @Test(arguments: ["r", "t"]) func `a cancel leaves no file and no further call (A.5)`(letter: Character) async throws
  {
    let delegate = Delegate { connection, seen in if seen == letter { connection.cancel() } }
    let record = try await load("/body?size=4MiB&seed=4", delegate)
    #expect(record.calls.last == letter)
    #expect(record.calls.count { $0 == letter } == 1)
  }

  @Test func `the required method alone is enough (A.7b)`() async throws {
    final class Least: NSObject, NSURLConnectionDownloadDelegate, Sendable {
      let size = Locked(-1)
      func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
        size.withLock { $0 = (try? Data(contentsOf: destinationURL).count) ?? -2 }
      }
    }
    let server = try LessonServer.running()
    let request = try server.request("/redirect/302?to=/1k")
    let delegate = Least()
    try await onOwnThread {
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    #expect(delegate.size.withLock { $0 } == 1024)
  }
}
