// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// B.8: what a stream task received before its connection was lost can be read, and only then comes the loss.
@Suite struct StreamLossTests {
  /// A task whose server sends ten bytes and resets the connection, once the bytes are there.
  private func lost() async throws -> (StreamFixture, URLSessionStreamTask) {
    let fixture = try StreamFixture(opening: [.bytes(Array("0123456789".utf8)), .gate("go"), .end(.rst)])
    let task = fixture.task()
    #expect(await task.put("x") == nil)
    try await eventually { task.countOfBytesReceived == 10 }
    fixture.server.open(gate: "go")
    return (fixture, task)
  }

  @Test func `bytes that came before a reset are read, then the reads fail (B8)`() async throws {
    let (fixture, task) = try await lost()
    // Only the loss fails a write.
    while await task.put("x") == nil {}
    #expect(await task.text(4, 4) == "0123")
    #expect(await task.text() == "456789")
    #expect(await task.text() == "-1005")
    #expect(try await fixture.recorder.events() == [.created, .metrics, .complete(-1005)])
  }

  @Test func `who reads nothing hears of the loss all the same, and the bytes stay (B8)`() async throws {
    let (fixture, task) = try await lost()
    #expect(try await fixture.recorder.events().last == .complete(-1005))
    #expect(await task.text() == "0123456789")
    #expect(await task.text() == "-1005")
  }

  @Test func `a read that wants more than came before the loss fails, and so do those behind it (B8)`() async throws {
    let (fixture, task) = try await lost()
    #expect(await task.text(11) == "-1005")
    #expect(await task.text() == "-1005")
    #expect(try await fixture.recorder.events().last == .complete(-1005))
  }

  @Test func `cancelling drops what was not read (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.bytes(Array("0123456789".utf8)), .stall])
    let task = fixture.task()
    #expect(await task.put("x") == nil)
    try await eventually { task.countOfBytesReceived == 10 }
    task.cancel()
    #expect(try await fixture.recorder.events() == [.created, .metrics, .complete(-999)])
    #expect(await task.text() == "-999")
  }

  @Test func `the end that came before the loss is read, too (B8)`() {
    var machine = StreamMachine()
    _ = machine.opened()
    _ = unsafe Array("bye".utf8).withUnsafeBytes { unsafe machine.arrived($0) }
    #expect(machine.inputEnded() == [.readClosed])
    #expect(machine.ended(keepsInput: true).isEmpty && machine.hasUnread)
    #expect(machine.read(1, minimum: 1, maximum: 9) == [.read(1, Data("bye".utf8), atEOF: true)])
    #expect(!machine.hasUnread)
    #expect(machine.read(2, minimum: 1, maximum: 9) == [.fail(2, .ended)])
  }

  @Test func `the part of a body that came before it was cut is read (B9)`() async throws {
    let streams = EventLog<URLSessionStreamTask>()
    let fixture = try StreamFixture(opening: nil, became: { streams.append($0) })
    try fixture.dataTask("/body?size=1MiB&cut=4KiB&by=fin").resume()
    let stream = try #require(try await streams.wait { $0.count == 1 }.first)
    #expect(try await fixture.recorder.events().last == .complete(-1005))
    var count = 0
    await #expect(throws: URLError.self) {
      while true { count += try await stream.readData(ofMinLength: 1, maxLength: 1 << 20, timeout: 0).0?.count ?? 0 }
    }
    #expect(count > 0 && count == Int(stream.countOfBytesReceived))
  }
}
