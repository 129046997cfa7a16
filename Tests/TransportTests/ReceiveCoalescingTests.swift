// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import Transport

/// Fast connections gather before they wake the I/O thread, and never hold anything back for long.
@Suite struct ReceiveCoalescingTests {
  /// How much the kernel gathers on the socket before it wakes anybody.
  private static func amount(_ socket: Int32) -> Int32 {
    var value: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &value, &size)
    return value
  }

  @Test func `a connection gathers while the thread sleeps, and no longer`() {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var coalescing = ReceiveCoalescing()
    coalescing.beforeWait(now: 0)
    #expect(Self.amount(socket) == 1 && coalescing.isEmpty)
    coalescing.isFast(socket)
    #expect(Self.amount(socket) == 1 && !coalescing.isEmpty)
    coalescing.beforeWait(now: 0)
    #expect(Self.amount(socket) > 64 * 1024)
    coalescing.isFast(socket)
    coalescing.expire(now: ReceiveCoalescing.longestDelay - 1)
    #expect(Self.amount(socket) > 64 * 1024)
    coalescing.hasEvent(socket)
    #expect(Self.amount(socket) == 1 && !coalescing.isEmpty)
    coalescing.expire(now: .max)
    #expect(!coalescing.isEmpty)
  }

  @Test func `one that does not bring enough in time is slow`() {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var coalescing = ReceiveCoalescing()
    for ends in [{ $0.expire(now: ReceiveCoalescing.longestDelay) }, { $0.stopGathering(socket) }]
      as [(inout ReceiveCoalescing) -> Void]
    {
      coalescing.isFast(socket)
      coalescing.beforeWait(now: 0)
      #expect(Self.amount(socket) > 1)
      ends(&coalescing)
      #expect(Self.amount(socket) == 1 && coalescing.isEmpty)
    }
    coalescing.isFast(socket)
    coalescing.forget(socket)
    #expect(coalescing.isEmpty)
  }

  /// Without the limit of time the bytes between the gates would wait for those behind them, which wait for the test.
  @Test(arguments: [Int64(1), 1000, 300_000])
  func `a fast body that falls silent is heard to its last byte`(few: Int64) async throws {
    let (size, first) = (Int64(96 << 20), Int64(48 << 20))
    let script: Script = [
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .seeded(seed: 3, range: 0..<first), .gate("few"),
      .seeded(seed: 3, range: first..<first + few), .gate("rest"), .seeded(seed: 3, range: first + few..<size),
    ]
    try await withServer([Route("/silent", script: script)]) { server, transport in
      let probe = TransferProbe(flow: { total in
        if total == Int(first) { server.open(gate: "few") }
        if total == Int(first + few) { server.open(gate: "rest") }
        return .proceed
      })
      _ = transport.start(TransferRequest(url: server.url("/silent")), consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.checksum() == SeededBody.checksum(seed: 3, size: size))
    }
  }
}
