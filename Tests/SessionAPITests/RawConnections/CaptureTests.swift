// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.8: `captureStreams()`.
@Suite struct CaptureTests {
  /// The streams of a task that is captured now, opened.
  private static func capture(_ task: URLSessionStreamTask, _ fixture: StreamFixture) async throws -> CapturedPair {
    task.captureStreams()
    let pair = try await fixture.recorder.pairs.take()
    #expect(pair.input.streamStatus == .notOpen && pair.output.streamStatus == .notOpen)
    #expect(pair.input.get(1) == nil && pair.output.put("x") == -1)
    pair.input.open()
    pair.output.open()
    return pair
  }

  @Test func `what is queued comes first, then the streams go on where it stopped (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.session.streamTask(withHostName: "127.0.0.1", port: Int(fixture.server.port))
    let answers = EventLog<String>()
    for length in [2, 3] {
      task.readData(ofMinLength: length, maxLength: length, timeout: 0) { data, _, _ in
        answers.append(String(decoding: data ?? Data(), as: UTF8.self))
      }
    }
    task.write(Data("abcdefg".utf8), timeout: 0) { answers.append($0 == nil ? "written" : "failed") }
    task.captureStreams()
    // The task is not there yet, and takes no more.
    #expect(await task.put("late") == -1005)
    #expect(await task.text() == "-1005")
    task.closeWrite()
    task.closeRead()
    task.resume()
    let pair = try await fixture.recorder.pairs.take()
    #expect(Set(answers.all) == ["ab", "cde", "written"])
    pair.input.open()
    pair.output.open()
    #expect(try await onThread { pair.output.put("h") == 1 ? pair.input.all(3) : "" } == "fgh")
    #expect(fixture.recorder.log.all == [.created, .captured])
  }

  @Test func `a task that is cancelled while reads wait has no streams (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    let read = task.reading()
    task.captureStreams()
    task.cancel()
    let answers = try await read.wait { !$0.isEmpty }
    #expect(answers == ["-999"] || answers == ["-1005"])
    #expect(try await fixture.recorder.events() == [.created, .metrics, .complete(-999)])
  }

  @Test func `the streams carry bytes both ways, and the task has ended with them (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    task.write(Data("abcdef".utf8), timeout: 0) { #expect($0 == nil) }
    #expect(await task.text(2, 2) == "ab")
    let pair = try await Self.capture(task, fixture)
    #expect(await fixture.session.allTasks.isEmpty)
    let text = try await onThread {
      #expect(pair.output.put("ghi") == 3)
      var text = ""
      while text.utf8.count < 7, let piece = pair.input.get(100) { text += piece }
      return text
    }
    #expect(text == "cdefghi")
    pair.output.close()
    #expect(try await onThread { pair.input.get(1) } == "")
    #expect(pair.input.streamStatus == .atEnd && pair.output.streamStatus == .closed)
    #expect(pair.output.put("x") == -1)
    pair.input.close()
    #expect(pair.input.get(1) == nil && pair.input.streamStatus == .closed && pair.input.streamError == nil)
    #expect(await task.put("late") == -1005)
    #expect(fixture.recorder.log.all == [.created, .captured])
    try await Self.waitUntilClosed(fixture)
  }

  @Test func `the connection outlives its session (B8)`() async throws {
    let fixture = try StreamFixture()
    let pair = try await Self.capture(fixture.task(), fixture)
    fixture.session.invalidateAndCancel()
    try await eventually { fixture.session.delegate == nil }
    let text = try await onThread { pair.output.put("still here") == 10 ? pair.input.all(10) : "" }
    #expect(text == "still here")
    pair.output.close()
    #expect(try await onThread { pair.input.get(1) } == "")
    pair.input.close()
    try await Self.waitUntilClosed(fixture)
  }

  @Test func `streams that nobody holds close the connection (B8)`() async throws {
    let fixture = try StreamFixture()
    do {
      let pair = try await Self.capture(fixture.task(), fixture)
      #expect(try await onThread { pair.output.put("sent all the same") } == 17)
    }
    try await Self.waitUntilClosed(fixture)
  }

  @Test func `where no delegate takes the streams the connection ends (B8)`() async throws {
    final class Bystander: NSObject, URLSessionTaskDelegate {}
    let server = LessonServer(routes: [], opening: [.echo])
    try server.start()
    let session = URLSession(configuration: .ephemeral, delegate: Bystander(), delegateQueue: nil)
    let task = session.streamTask(withHostName: "127.0.0.1", port: Int(server.port))
    task.resume()
    #expect(await task.put("x") == nil)
    task.captureStreams()
    let limit = Duration.seconds(TestMachine.patience)
    #expect(try await onThread { server.log.waitUntilClosed(within: limit) })
    try await eventually { task.state == .completed }
    session.invalidateAndCancel()
  }

  @Test func `the peer is held back while nobody reads, and nothing is lost (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.seeded(seed: 3, range: 0..<(24 << 20)), .end(.fin)])
    let task = fixture.task()
    #expect(await task.put("go") == nil)
    let pair = try await Self.capture(task, fixture)
    try await eventually { pair.input.hasBytesAvailable }
    let sum = try await onThread {
      var checksum = BodyChecksum()
      while let count = pair.input.fill({ checksum.update($0) }), count > 0 {}
      return checksum.value
    }
    #expect(sum == SeededBody.checksum(seed: 3, size: 24 << 20))
    #expect(pair.input.streamStatus == .atEnd)
  }

  @Test func `all that was written arrives, though both streams are closed at once (B8)`() async throws {
    let fixture = try StreamFixture(opening: nil)
    let task = fixture.task()
    let size = 4 << 20
    #expect(await task.put("POST /ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n") == nil)
    let pair = try await Self.capture(task, fixture)
    try await onThread {
      let piece = String(repeating: "x", count: 1 << 20)
      var left = size
      while left > 0 {
        let count = pair.output.put(String(piece.prefix(left)))
        guard count > 0 else { break }
        left -= count
      }
      pair.output.close()
      pair.input.close()
    }
    try await eventually { fixture.server.log.snapshot().requests.first?.bodyBytes == Int64(size) }
    try await Self.waitUntilClosed(fixture)
  }

  @Test func `a reset is an error of both streams (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.bytes(Array("last".utf8)), .gate("go"), .end(.rst)])
    let task = fixture.task()
    #expect(await task.put("x") == nil)
    let pair = try await Self.capture(task, fixture)
    #expect(try await onThread { pair.input.all(4) } == "last")
    fixture.server.open(gate: "go")
    #expect(try await onThread { pair.input.get(1) } == nil)
    #expect((pair.input.streamError as? URLError)?.code == .networkConnectionLost)
    #expect(pair.input.streamStatus == .error && pair.output.streamStatus == .error)
    #expect(pair.output.put("x") == -1 && !pair.output.hasSpaceAvailable)
  }

  @Test func `closing wakes a read that waits (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.stall])
    let task = fixture.task()
    #expect(await task.put("x") == nil)
    let pair = try await Self.capture(task, fixture)
    async let read = onThread { pair.input.get(1) }
    try await eventually { pair.input.streamStatus == .reading }
    pair.input.close()
    #expect(try await read == nil)
  }

  @Test func `sides that were closed before are at their end (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    #expect(await task.put("abc") == nil)
    task.closeWrite()
    let pair = try await Self.capture(task, fixture)
    #expect(pair.output.streamStatus == .atEnd && pair.output.put("x") == -1)
    #expect(try await onThread { pair.input.all(9) } == "abc")

    let second = try StreamFixture()
    let other = second.task()
    other.closeRead()
    let streams = try await Self.capture(other, second)
    #expect(streams.input.streamStatus == .atEnd && streams.input.get(1) == "")
    #expect(try await onThread { streams.output.put("x") } == 1)
  }

  @Test func `a side that failed before has failed in its stream (B8)`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    #expect(await task.text(1, 1, timeout: 0.05) == "-1001")
    let pair = try await Self.capture(task, fixture)
    #expect((pair.input.streamError as? URLError)?.code == .timedOut)
    #expect(pair.output.streamStatus == .open)
  }

  @Test func `a body that became a stream becomes an input stream (B8)`() async throws {
    let streams = EventLog<URLSessionStreamTask>()
    let fixture = try StreamFixture(opening: nil) { streams.append($0) }
    for size in [0, 10, 8 << 20] {
      try fixture.dataTask("/body?size=\(size)&seed=6").resume()
      let stream = try await streams.take()
      if size == 10 { try await eventually { stream.countOfBytesReceived == 10 } }
      let pair = try await Self.capture(stream, fixture)
      #expect(pair.output.streamStatus == .atEnd)
      if size > 10 { fixture.session.finishTasksAndInvalidate() }
      let sum = try await onThread {
        var checksum = BodyChecksum()
        while let count = pair.input.fill({ checksum.update($0) }), count > 0 {}
        return checksum.value
      }
      #expect(sum == SeededBody.checksum(seed: 6, size: Int64(size)))
    }
    #expect(!fixture.recorder.log.all.contains(.complete(nil)))
  }

  @Test func `a task may be captured, and written to in vain, as soon as it reads a body (B8)`() async throws {
    let answers = EventLog<Int?>()
    let fixture = try StreamFixture(opening: nil) { stream in
      stream.write(Data("x".utf8), timeout: 0) { answers.append(($0 as? URLError)?.errorCode) }
      stream.captureStreams()
    }
    try fixture.dataTask("/body?size=10&seed=6").resume()
    let pair = try await fixture.recorder.pairs.take()
    #expect(try await answers.take() == -1005)
    pair.input.open()
    pair.output.open()
    #expect(pair.output.streamStatus == .atEnd)
    #expect(try await onThread { pair.input.all(20).utf8.count } > 0)
  }

  @Test func `a body that is cut is an error of its stream (B8)`() async throws {
    let streams = EventLog<URLSessionStreamTask>()
    let fixture = try StreamFixture(opening: nil) { streams.append($0) }
    try fixture.dataTask("/body?size=4MiB&seed=6&cut=3MiB&by=fin").resume()
    let pair = try await Self.capture(try await streams.take(), fixture)
    // All that came is read before, however much of it waits when the connection breaks.
    try await eventually { pair.input.hasBytesAvailable }
    let (last, sum) = try await onThread {
      var checksum = BodyChecksum()
      while let count = pair.input.fill({ checksum.update($0) }) { if count == 0 { return ("end", checksum) } }
      return ("error", checksum)
    }
    #expect(last == "error" && (pair.input.streamError as? URLError)?.code == .networkConnectionLost)
    #expect(sum.count > 2 << 20 && sum.value == SeededBody.checksum(seed: 6, size: sum.count))
  }

  private static func waitUntilClosed(_ fixture: StreamFixture) async throws {
    let (log, limit) = (fixture.server.log, Duration.seconds(TestMachine.patience))
    // A server under load may not have accepted the connection yet, and then none is open either.
    try await eventually { log.counts.opened == 1 }
    #expect(try await onThread { log.waitUntilClosed(within: limit) })
  }
}
