// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import URLLoading

@Suite(.exitTests) struct FileSinkTests {
  /// How a load into a file ended, and what the folder then held.
  private struct Outcome: Sendable {
    var end: LoadEnd
    var files: [String]
    var checksum: UInt64
    var mode: Int?
    var written: [Int64]
  }

  private static func load(
    _ path: String, routes: [Route] = Route.standard, cancels: Bool = false, folderExists: Bool = true,
    whenWritten: @escaping @Sendable (LessonServer, Int64) -> Void = { _, _ in }
  ) throws -> Outcome {
    let server = LessonServer(routes: routes)
    try server.start()
    defer { server.stop() }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    if folderExists { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    defer { try? FileManager.default.removeItem(at: folder) }
    let probe = LoadProbe(whenWritten: { load, total in
      if cancels { load.cancel() }
      whenWritten(server, total)
    })
    let url = try #require(URL(string: server.url(path)))
    let load = Load(
      URLRequest(url: url), in: LoadContext(LoadConfiguration()), sink: .file(directory: folder), client: probe)
    load.start()
    let end = try #require(probe.waitForEnd())
    var checksum = BodyChecksum()
    try end.file.map { try Data(contentsOf: $0) }?.withUnsafeBytes { checksum.update($0) }
    let mode = end.file.map { FileManager.default.mode(of: $0.path) }
    return Outcome(
      end: end, files: (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [],
      checksum: checksum.value, mode: mode ?? nil, written: probe.record.withLock { $0.written })
  }

  @Test(arguments: [0, 1, 3 << 20, (3 << 20) + 1])
  func `a body becomes one private file`(size: Int64) async throws {
    let outcome = try await onThread { try Self.load("/body?size=\(size)&seed=6") }
    #expect(outcome.end.error == nil)
    #expect(outcome.checksum == SeededBody.checksum(seed: 6, size: size))
    #expect(outcome.mode == 0o600)
    #expect(outcome.files.count == 1)
    #expect(outcome.written == outcome.written.sorted())
    #expect(outcome.written.allSatisfy { $0 <= size })
  }

  @Test(arguments: [(33 << 20) + 4097, 34 << 20])
  func `a large body is whole, past the page cache as well`(size: Int64) async throws {
    let outcome = try await onThread { try Self.load("/body?size=\(size)&seed=7") }
    #expect(outcome.end.error == nil)
    #expect(outcome.checksum == SeededBody.checksum(seed: 7, size: size))
  }

  /// A piece that was written as it was leaves the next ones where the page cache can be passed.
  @Test func `a large body that halts at odd places is whole`() async throws {
    let size: Int64 = 40 << 20
    let halts: [Int64] = [1, 524_289, (33 << 20) + 5, (34 << 20) + 4096]
    let bounds = [0] + halts + [size]
    let steps: [[Step]] = zip(bounds, bounds.dropFirst()).map { start, end in
      [.seeded(seed: 9, range: start..<end), .gate("\(end)")]
    }
    let head = Response(body: .seeded(seed: 9, range: 0..<size)).head
    let route = Route("/halting", script: Script([.bytes(head)] + steps.flatMap(\.self)))
    let outcome = try await onThread {
      try Self.load("/halting", routes: [route]) { server, total in server.open(gate: "\(total)") }
    }
    #expect(outcome.end.error == nil)
    #expect(outcome.checksum == SeededBody.checksum(seed: 9, size: size))
    #expect(halts.allSatisfy(outcome.written.contains))
  }

  @Test func `the file of a cancelled load is gone when the end is told`() async throws {
    let outcome = try await onThread { try Self.load("/body?size=16MiB&seed=8", cancels: true) }
    #expect(outcome.end.error?.code == .cancelled)
    #expect(outcome.files.isEmpty)
  }

  @Test func `a folder that does not exist: -3000`() async throws {
    let outcome = try await onThread { try Self.load("/body?size=1MiB", folderExists: false) }
    #expect(outcome.end.error?.code == .cannotCreateFile)
    let beneath = outcome.end.error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(POSIXErrorCode.ENOENT.rawValue))
  }

  @Test func `a disk that takes no more: -3003, and nothing is left (DL-15, DL-17)`() async {
    await #expect(processExitsWith: .success) {
      // The limit stands for the full disk: a write beyond it fails with EFBIG (setrlimit(2), RLIMIT_FSIZE).
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let outcome = try await onThread { try FileSinkTests.load("/body?size=3MiB") }
      try #require(outcome.end.error?.code == .cannotWriteToFile)
      try #require(outcome.files.isEmpty)
    }
  }
}
