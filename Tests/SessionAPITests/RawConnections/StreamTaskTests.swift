// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// B.8 and B.9, stream tasks.
@Suite struct StreamTaskTests {
  @Test func `bytes go both ways, and both ends complete the task (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    #expect(task.originalRequest == nil && task.currentRequest == nil)
    #expect(await task.put("hello ") == nil)
    #expect(await task.put("world") == nil)
    #expect(await task.text(11) == "hello world")
    task.closeWrite()
    #expect(await task.text() == ".")
    let events = try await fixture.recorder.events()
    #expect(Set(events.map { "\($0)" }) == Set(["created", "writeClosed", "readClosed", "metrics", "complete(nil)"]))
    #expect(events.suffix(2) == [.metrics, .complete(nil)] && events.count == 5)
    #expect(await task.text() == "-1005")
    #expect(await task.put("late") == -1005)
  }

  @Test func `what is asked before the connection waits for it, in order (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.session.streamTask(withHostName: "localhost", port: Int(fixture.server.port))
    let answers = EventLog<String>()
    for length in [1, 2, 3] {
      task.readData(ofMinLength: length, maxLength: length, timeout: 0) { data, atEOF, _ in
        answers.append(String(decoding: data ?? Data(), as: UTF8.self) + (atEOF ? "." : ""))
      }
    }
    for text in ["ab", "cd", "ef"] { task.write(Data(text.utf8), timeout: 0) { _ in } }
    task.closeWrite()
    task.resume()
    #expect(try await answers.wait { $0.count == 3 }.prefix(2) == ["a", "bc"])
    #expect(try #require(answers.all.last).hasPrefix("def"))
    #expect(await fixture.session.allTasks.contains(task))
  }

  @Test func `less than the least comes at the end alone (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    #expect(await task.put("abc") == nil)
    task.closeWrite()
    #expect(await task.text(100) == "abc.")
    #expect(try await fixture.recorder.events().last == .complete(nil))
  }

  @Test func `a read that times out is final for reading, not for writing (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    let waiting = EventLog<Int>()
    async let first = task.text(1, 10, timeout: 0.05)
    #expect(await first == "-1001")
    task.readData(ofMinLength: 1, maxLength: 1, timeout: 0) { waiting.append(($2 as? URLError)?.errorCode ?? 0) }
    #expect(try await waiting.wait { $0.count == 1 } == [-1001])
    #expect(await task.put("still") == nil)
    task.closeWrite()
    #expect(try await fixture.recorder.events().last == .complete(nil))
  }

  @Test func `cancel fails every read and write that waits (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.stall])
    let task = fixture.task()
    let codes = EventLog<Int>()
    for _ in 0..<3 {
      task.readData(ofMinLength: 1, maxLength: 1, timeout: 0) { codes.append(($2 as? URLError)?.errorCode ?? 0) }
      // More than the system's buffers take.
      task.write(Data(count: 16 << 20), timeout: 0) { codes.append(($0 as? URLError)?.errorCode ?? 0) }
    }
    try await eventually { task.countOfBytesSent == 0 && fixture.server.log.counts.live == 1 }
    task.cancel()
    #expect(try await codes.wait { $0.count == 6 } == Array(repeating: -999, count: 6))
    #expect(try await fixture.recorder.events() == [.created, .metrics, .complete(-999)])
  }

  @Test func `a write that times out is final for writing (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.stall])
    let task = fixture.task()
    let codes = EventLog<Int>()
    for _ in 0..<2 {
      task.write(Data(count: 32 << 20), timeout: 0.1) { codes.append(($0 as? URLError)?.errorCode ?? 0) }
    }
    #expect(try await codes.wait { $0.count == 2 } == [-1001, -1001])
    #expect(await task.put("more") == -1001)
  }

  @Test func `closing the reading side waits for its reads, and no more are taken (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    let last = task.reading(3)
    task.closeRead()
    #expect(await task.text() == "-1005")
    #expect(await task.put("abc") == nil)
    #expect(try await last.wait { !$0.isEmpty } == ["abc"])
    try await fixture.recorder.log.wait { $0.contains(.readClosed) }
    task.closeWrite()
    #expect(
      try await fixture.recorder.events() == [.created, .readClosed, .writeClosed, .metrics, .complete(nil)])
  }

  @Test func `many bytes pass in both directions at once (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    let content = Data(SeededBody(seed: 8).bytes(0..<(20 << 20)))
    task.write(content, timeout: 0) { #expect($0 == nil) }
    task.closeWrite()
    let isEqual = try await task.rest() == content
    #expect(isEqual)
  }

  @Test func `the peer is held back while nobody reads (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.repeated([UInt8](repeating: 7, count: 1 << 16), times: 640), .end(.fin)])
    let task = fixture.task()
    #expect(await task.put("go") == nil)
    try await eventually { task.countOfBytesReceived >= 256 << 10 }
    #expect(task.countOfBytesReceived < 1 << 20)
    #expect(try await task.rest().count == 40 << 20)
  }

  @Test func `a read may want more than usually waits (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.repeated([UInt8](repeating: 7, count: 1 << 16), times: 64), .end(.fin)])
    let task = fixture.task()
    #expect(await task.put("go") == nil)
    let (data, atEOF) = try await task.readData(ofMinLength: 4 << 20, maxLength: 5 << 20, timeout: 0)
    #expect(data?.count == 4 << 20)
    if !atEOF { #expect(await task.text() == ".") }
  }

  @Test func `no host, no port, nobody there (B8)`() async throws {
    let fixture = try StreamFixture()
    let closed = ClosedPort()
    let port = try #require(URL(string: closed.url)?.port)
    let cases: [(host: String, port: Int, code: Int)] = [
      ("127.0.0.1", port, -1004), ("127.0.0.1", 0, -1003), ("127.0.0.1", 70_000, -1003), ("", 80, -1003),
      ("a b", 80, -1003), ("a/b", 80, -1003), ("x@y", 80, -1003),
    ]
    for (host, port, code) in cases {
      let task = fixture.session.streamTask(withHostName: host, port: port)
      task.resume()
      #expect(await task.text() == "\(code)")
      try await eventually { task.state == .completed }
      #expect((task.error as? URLError)?.errorCode == code)
    }
  }

  @Test func `a reset is an error for both sides (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.gate("go"), .end(.rst)])
    let task = fixture.task()
    #expect(await task.put("x") == nil)
    fixture.server.open(gate: "go")
    #expect(await task.text() == "-1005")
    #expect(try await fixture.recorder.events().last == .complete(-1005))
  }

  @Test func `a reset that a write meets first is not taken for an end (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.gate("go"), .end(.rst)])
    let task = fixture.task()
    let read = task.reading()
    let codes = EventLog<Int?>()
    // More than the system takes at once, so that the write still waits when the reset comes.
    task.write(Data(count: 64 << 20), timeout: 0) { codes.append(($0 as? URLError)?.errorCode) }
    fixture.server.open(gate: "go")
    #expect(try await read.wait { !$0.isEmpty } == ["-1005"])
    #expect(try await codes.wait { !$0.isEmpty } == [-1005])
    #expect(try await fixture.recorder.events().last == .complete(-1005))
  }

  @Test func `a suspended task reads nothing until it is resumed (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    #expect(await task.put("a") == nil)
    #expect(await task.text() == "a")
    task.suspend()
    #expect(await task.put("b") == nil)
    async let next = task.text()
    task.resume()
    #expect(await next == "b")
  }
}
