// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SessionAPI

/// BG-55: clients that hold a connection of the agent, and what other clients notice of it: nothing.
@Suite(.serialized) struct BackgroundStrangerTests {
  /// Sends bytes as far as the agent takes them; false once it has closed the connection.
  private static func send(_ bytes: Data, over descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&watched, 1, -1)
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @Test func `half a greeting holds a connection for seconds, and no one else (BG-55)`() async throws {
    let bench = try await BackgroundBench()
    let descriptor = try bench.place.places.connect()
    defer { close(descriptor) }
    let hello = ClientMessage.hello(identifier: "half", settings: TalkClient.settings)
    let frame = try FrameReader.frame(Talk.encode(hello))
    #expect(Self.send(frame.dropLast(1), over: descriptor))
    // Another client is greeted meanwhile, and another one may leave half an order lying.
    let other = try await TalkClient(bench.place, identifier: "other")
    let silent = try bench.place.places.connect()
    let order = try FrameReader.frame(Talk.encode(ClientMessage.cancel(UUID())))
    #expect(Self.send(frame + order.dropLast(1), over: silent))
    let key = UUID()
    try other.say(.cancel(key))
    try await other.log.wait { $0.contains(.forgotten(key)) }
    // The agent ends the connection by itself.
    let ended = try await onThread { () -> Int in
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&watched, 1, Int32(TestMachine.patience * 1_000))
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
    }
    #expect(ended == 0)
    #expect(bench.place.log.contains("said no session for 10 s"))
    close(silent)
    other.close()
    try await bench.isUnharmed()
  }

  @Test func `a client that never reads costs the agent a bounded memory, and is left (BG-55)`() async throws {
    let bench = try await BackgroundBench()
    let agent = try #require(bench.place.agent)
    let deaf = try bench.place.places.connect()
    defer { close(deaf) }
    let settings = TalkClient.settings
    let url = try #require(URL(string: "http://127.0.0.1:1/" + String(repeating: "a", count: 1 << 20)))
    // The agent answers each order with an end, which has the long address more than once.
    let taken = try await onThread { () -> Int in
      guard
        Self.send(
          try FrameReader.frame(Talk.encode(ClientMessage.hello(identifier: "deaf", settings: settings))), over: deaf)
      else { return 0 }
      for count in 0..<2_000 {
        let order = try FrameReader.frame(Talk.encode(ClientMessage.start(TalkClient.task(url))))
        guard Self.send(order, over: deaf) else { return count }
      }
      return 2_000
    }
    #expect((1..<2_000).contains(taken))
    try await eventually { bench.place.log.contains("The client of 'deaf' was left: The other side does not read.") }
    let text = try String(contentsOfFile: "/proc/\(agent)/status", encoding: .utf8)
    let peak = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") }?.split(whereSeparator: { !$0.isNumber })
      .first
    let bytes = try #require(peak.flatMap { Int($0) }) << 10
    // The messages that wait have 32 MiB; the tasks, which the agent keeps until their ends are acknowledged, have the rest.
    #expect(TestMachine.isSanitized || bytes < 512 << 20, "after \(taken) orders")
    try await bench.isUnharmed()
  }
}
