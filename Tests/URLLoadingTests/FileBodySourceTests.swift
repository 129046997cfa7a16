// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing
import Transport

@testable import URLLoading

/// A file as a body: as long as it was when it was opened, as often as it is sent.
@Suite struct FileBodySourceTests {
  private let directory: TestDirectory
  private var path: String { directory.url.path + "/body" }

  init() throws { directory = try TestDirectory() }

  /// Reads a file of a tmpfs(5), which cannot say where a read would wait, so that its pieces are read ahead.
  @Test(arguments: [1, 262_145, 1_000_000]) func `every byte comes once where pieces are read ahead`(count: Int) throws
  {
    let path = "/dev/shm/workbench-test-\(UUID().uuidString)"
    let bytes = Self.bytes(count)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    let source = try FileBodySource(path, from: 0, on: .disk())
    #expect(all(of: source, by: 65_536) == bytes)
    for limit in [1, 300_000, 600_000] {
      #expect(source.rewind())
      let front = try #require(all(of: source, by: 50_000, limit: min(limit, count)))
      #expect(front == Array(bytes.prefix(front.count)))
    }
    #expect(source.rewind() && all(of: source, by: 16_384) == bytes)
  }

  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  private func source(_ bytes: [UInt8], from start: Int64 = 0) throws -> FileBodySource {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try FileBodySource(path, from: start, on: .disk())
  }

  /// Reads to the end, or to `limit` bytes, in pieces of at most `size`; nil where a read failed.
  private func all(of source: FileBodySource, by size: Int, limit: Int = .max) -> [UInt8]? {
    let isReady = DispatchSemaphore(value: 0)
    source.whenReady { isReady.signal() }
    var (read, piece) = ([UInt8](), [UInt8](repeating: 0, count: size))
    while read.count < limit {
      switch piece.withUnsafeMutableBytes({ source.read(into: $0) }) {
      case .bytes(let count): read += piece.prefix(count)
      case .wait: guard isReady.waitPatiently() else { return nil }
      case .end: return read
      case .failed: return nil
      }
    }
    return read
  }

  @Test(arguments: [0, 1, 16_384, 262_143, 262_144, 262_145, 1_000_000], [16_384, 65_536, 1_000_000])
  func `every byte comes once, in order`(count: Int, size: Int) throws {
    let bytes = Self.bytes(count)
    let source = try source(bytes)
    #expect(source.length == Int64(count))
    #expect(all(of: source, by: size) == bytes)
    #expect(source.rewind() && all(of: source, by: size) == bytes)
    let rest = try FileBodySource(path, from: Int64(count / 3), on: .disk())
    #expect(rest.length == Int64(count - count / 3) && all(of: rest, by: size) == Array(bytes.dropFirst(count / 3)))
  }

  @Test(arguments: [1, 100_000, 300_000, 600_000, 999_999])
  func `it starts anew wherever it stands`(limit: Int) throws {
    let bytes = Self.bytes(1_000_000)
    let source = try source(bytes)
    let front = try #require(all(of: source, by: 50_000, limit: limit))
    #expect(front == Array(bytes.prefix(front.count)))
    #expect(source.rewind() && all(of: source, by: 50_000) == bytes)
  }

  @Test func `a file that grows is sent as long as it was, and one that becomes shorter fails`() throws {
    let bytes = Self.bytes(700_000)
    let source = try source(bytes)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1, 2, 3]))
    #expect(all(of: source, by: 65_536) == bytes)
    try handle.truncate(atOffset: 300_000)
    #expect(source.rewind() && all(of: source, by: 65_536) == nil)
    #expect(source.failure == "The file '\(path)' could not be sent to its end: it became shorter.")
    try handle.close()
  }

  @Test func `what is no plain file is refused`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: POSIXError.self) { try FileBodySource(path, from: 0, on: .disk()) }
    #expect(throws: POSIXError.self) { try FileBodySource(directory.url.path, from: 0, on: .disk()) }
    #expect(throws: POSIXError.self) { try FileBodySource(path + "/none", from: 0, on: .disk()) }
  }
}
