// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing
import Transport

@testable import URLLoading

@Suite struct BodyStreamTests {
  /// Reads from `offset` up to the end or `limit` bytes, waiting where there is nothing yet.
  private static func read(_ stream: BodyStream, from offset: Int64, atMost limit: Int = .max, step: Int) -> [UInt8]? {
    let ready = DispatchSemaphore(value: 0)
    stream.whenReady { ready.signal() }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: step)
    while bytes.count < limit {
      let count = min(step, limit - bytes.count)
      let answer = piece.withUnsafeMutableBytes {
        stream.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]), at: offset + Int64(bytes.count))
      }
      switch answer {
      case .bytes(let count): bytes += piece[..<count]
      case .wait: guard ready.waitPatiently() else { return nil }
      case .end: return bytes
      case .failed: return nil
      }
    }
    return bytes
  }

  /// Said in one word: a failed comparison of the bytes would print them.
  private static func isRead(_ expected: ArraySlice<UInt8>, _ bytes: [UInt8]?) -> Bool {
    bytes.map { $0[...] } == expected
  }

  @Test(arguments: [0, 1, 1000, 128 * 1024, 128 * 1024 + 1, 1_000_000])
  func `what is kept can be read again from any place`(size: Int) async throws {
    try await onThread {
      let body = SeededBody(seed: 3).bytes(0..<Int64(size))
      let stream = BodyStream(InputStream(data: Data(body)), keeps: true)
      #expect(Self.isRead(body[...], Self.read(stream, from: 0, step: 7919)))
      #expect(Self.isRead(body[...], Self.read(stream, from: 0, step: 65536)))
      #expect(Self.isRead(body[(size / 2)...], Self.read(stream, from: Int64(size / 2), step: 1000)))
      #expect(stream.isKept)
    }
  }

  @Test func `a body begun and begun again goes on where the stream is`() async throws {
    try await onThread {
      let body = SeededBody(seed: 3).bytes(0..<700_000)
      let stream = BodyStream(InputStream(data: Data(body)), keeps: true)
      #expect(Self.isRead(body[..<400_000], Self.read(stream, from: 0, atMost: 400_000, step: 1000)))
      #expect(Self.isRead(body[...], Self.read(stream, from: 0, step: 65536)))
    }
  }

  @Test func `without a copy only the first piece can be read again`() async throws {
    try await onThread {
      let small = BodyStream(InputStream(data: Data([1, 2, 3])), keeps: false)
      #expect(Self.read(small, from: 0, step: 10) == [1, 2, 3])
      #expect(small.isKept)
      let body = SeededBody(seed: 3).bytes(0..<300_000)
      let large = BodyStream(InputStream(data: Data(body)), keeps: false)
      #expect(Self.isRead(body[...], Self.read(large, from: 0, step: 65536)))
      #expect(!large.isKept)
      #expect(Self.read(large, from: 0, step: 65536) == nil)
    }
  }

  @Test func `a stream that cannot be read fails`() async throws {
    try await onThread {
      let missing = InputStream(url: FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString))
      let stream = BodyStream(try #require(missing), keeps: true)
      #expect(Self.read(stream, from: 0, step: 10) == nil)
    }
  }
}
