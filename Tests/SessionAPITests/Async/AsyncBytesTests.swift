// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.2 and D42: bodies that are awaited byte by byte.
@Suite struct AsyncBytesTests {
  private static let size: Int64 = 700_000
  private static let big: Int64 = 8_000_000
  private static let head = Response(body: .seeded(seed: 8, range: 0..<size)).head
  private static let routes =
    Route.standard + [
      Route("/seeded", script: .response(Response(body: .seeded(seed: 8, range: 0..<size)))),
      Route("/big", script: .response(Response(body: .seeded(seed: 8, range: 0..<big)))),
      Route(
        "/held",
        script: [
          .bytes(head), .seeded(seed: 8, range: 0..<10), .gate("rest"), .seeded(seed: 8, range: 10..<size),
        ]),
      Route(
        "/cut", script: Script.response(Response(body: .seeded(seed: 8, range: 0..<size))).cut(after: 100_000, by: .fin)
      ),
      Route("/stalled", script: [.stall]),
      Route("/lines", script: .response(.text("one\r\n\r\ntwo\nthree\u{2028}\u{85}ümlaut\u{B}\u{1F600}"))),
    ]

  @Test func `the response comes before the body, and the bytes are the server's (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    let (bytes, response) = try await fixture.session.bytes(from: try fixture.url("/held"))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(bytes.task.state == .running)
    fixture.server.open(gate: "rest")
    var all: [UInt8] = []
    for try await byte in bytes { all.append(byte) }
    #expect(BodySum.of(Data(all)) == SeededBody.checksum(seed: 8, size: Self.size))
    try await eventually { bytes.task.state == .completed }
    #expect(bytes.task.countOfBytesReceived == Self.size)
    #expect(fixture.recorder.log.all == [.created])
  }

  /// Counts the jobs that are brought to it.
  private final class CountingExecutor: SerialExecutor {
    let jobs = Locked(0)
    private let queue = DispatchQueue(label: "counting")

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.withLock { $0 += 1 }
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private actor Reader {
    nonisolated let executor = CountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func count(_ bytes: some AsyncSequence<UInt8, any Error> & Sendable) async throws -> Int64 {
      var count: Int64 = 0
      for try await _ in bytes { count += 1 }
      return count
    }
  }

  @Test func `a loop over bytes leaves its actor for each piece, and not for each byte`() async throws {
    let fixture = try Fixture(Self.routes)
    let (reader, url) = (Reader(), try fixture.url("/seeded"))
    #expect(try await reader.count(try await fixture.session.bytes(from: url).0) == Self.size)
    #expect(try await reader.count(url.resourceBytes) == Self.size)
    #expect(reader.executor.jobs.withLock { $0 } < 2_000)
  }

  @Test func `bytes and lines are there while the server waits (B.2)`() async throws {
    let text = Script([
      .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none\r"), .gate("line"), .text("\ntwo\n"),
    ])
    let fixture = try Fixture(Self.routes + [Route("/halting", script: text)])
    var count: Int64 = 0
    for try await _ in try await fixture.session.bytes(from: try fixture.url("/held")).0 {
      count += 1
      if count == 10 { fixture.server.open(gate: "rest") }
    }
    #expect(count == Self.size)
    var lines: [String] = []
    for try await line in try await fixture.session.bytes(from: try fixture.url("/halting")).0.lines {
      lines.append(line)
      fixture.server.open(gate: "line")
    }
    #expect(lines == ["one", "two"])
  }

  @Test func `a failure throws its URLError, behind the bytes that had come (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    var count = 0
    let failure = await #expect(throws: URLError.self) {
      for try await _ in try await fixture.session.bytes(from: try fixture.url("/cut")).0 { count += 1 }
    }
    #expect(failure?.code == .networkConnectionLost)
    #expect(count > 90_000)
    let unsupported = await #expect(throws: URLError.self) {
      try await fixture.session.bytes(from: try #require(URL(string: "nothing://x/")))
    }
    #expect(unsupported?.code == .unsupportedURL)
  }

  @Test func `cancelling the Swift task ends the wait for the response, and that for a byte, with -999 (B.2)`()
    async throws
  {
    let fixture = try Fixture(Self.routes)
    let log = fixture.server.log
    for path in ["/stalled", "/held"] {
      let url = try fixture.url(path)
      let (waits, signal) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        if path == "/stalled" { signal.yield() }
        var count = 0
        for try await _ in try await fixture.session.bytes(from: url).0 {
          count += 1
          if count == 10 { signal.yield() }
        }
      }
      for await _ in waits { break }
      reader.cancel()
      let error = await #expect(throws: URLError.self) { try await reader.value }
      #expect(error?.code == .cancelled)
    }
    #expect(try await onThread { log.waitUntilClosed(within: .seconds(TestMachine.patience)) })
  }

  @Test func `a Swift task that is cancelled already gets -999 (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/seeded")
    let reader = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await fixture.session.bytes(from: url)
    }
    let error = await #expect(throws: URLError.self) { try await reader.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `leaving the loop, dropping the iterator and dropping the sequence cancel the task (D42)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/big")
    let (bytes, _) = try await fixture.session.bytes(from: url)
    for try await _ in bytes { break }
    try await eventually { bytes.task.state == .completed }
    #expect((bytes.task.error as? URLError)?.code == .cancelled)

    let iterated = try await Self.takeOne(try await fixture.session.bytes(from: url).0)
    try await eventually { iterated.state == .completed }

    let dropped = try await fixture.session.bytes(from: url).0.task
    try await eventually { dropped.state == .completed }
    #expect((dropped.error as? URLError)?.code == .cancelled)
  }

  private static func takeOne(_ bytes: consuming URLSession.AsyncBytes) async throws -> URLSessionTask {
    let task = bytes.task
    var iterator = bytes.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    #expect(task.state == .running)
    return task
  }

  @Test func `two iterators at once share the bytes, and both end (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    for path in ["/held", "/big"] {
      let (bytes, _) = try await fixture.session.bytes(from: try fixture.url(path))
      let sums = EventLog<[Int]>()
      let readers = (0..<3).map { _ in
        Task {
          var (count, sum) = (0, 0)
          for try await byte in bytes { (count, sum) = (count + 1, sum + Int(byte)) }
          sums.append([count, sum])
        }
      }
      // At "/held" one of them has the first bytes by then, and all wait for more.
      if path == "/held" {
        try await eventually { bytes.task.countOfBytesReceived == 10 && bytes.channel.waitingReaders == 3 }
      }
      fixture.server.open(gate: "rest")
      // One that was forgotten would wait for ever.
      let found = try await sums.wait { $0.count == 3 }
      for reader in readers { reader.cancel() }
      let size = path == "/held" ? Self.size : Self.big
      #expect(found.reduce(0) { $0 + $1[0] } == Int(size))
      var sum = 0
      SeededBody(seed: 8).forEachPiece(of: 0..<size) { for byte in $0 { sum += Int(byte) } }
      #expect(found.reduce(0) { $0 + $1[1] } == sum)
    }
  }

  @Test func `cancelling one of several readers ends its reading alone, and the last one's the transfer (B.2)`()
    async throws
  {
    let fixture = try Fixture(Self.routes)
    let (bytes, _) = try await fixture.session.bytes(from: try fixture.url("/held"))
    let ends = EventLog<Int>()
    let readers = (0..<3).map { _ in
      Task {
        do { for try await _ in bytes {} } catch { ends.append((error as? URLError)?.errorCode ?? 0) }
      }
    }
    try await eventually { bytes.task.countOfBytesReceived == 10 && bytes.channel.waitingReaders == 3 }
    for number in 0..<3 {
      #expect(bytes.task.state == .running)
      readers[number].cancel()
      try await ends.wait { $0.count == number + 1 }
    }
    #expect(ends.all == [-999, -999, -999])
    try await eventually { bytes.task.state == .completed }
  }

  @Test func `who leaves first takes nothing away from another iterator (D42)`() async throws {
    let fixture = try Fixture(Self.routes)
    let (bytes, _) = try await fixture.session.bytes(from: try fixture.url("/held"))
    var stays = bytes.makeAsyncIterator()
    #expect(try await stays.next() != nil)
    async let second = Self.readOne(bytes)
    fixture.server.open(gate: "rest")
    #expect(try await second)
    var count = 1
    while try await stays.next() != nil { count += 1 }
    #expect(count >= 10 && bytes.task.error == nil)
  }

  /// True if a byte came to an iterator that is gone afterwards.
  private static func readOne(_ bytes: URLSession.AsyncBytes) async throws -> Bool {
    var iterator = bytes.makeAsyncIterator()
    return try await iterator.next() != nil
  }

  @Test func `while nobody reads, the server is held back (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    let (bytes, _) = try await fixture.session.bytes(from: try fixture.url("/big"))
    try await eventually { bytes.task.countOfBytesReceived >= 1_000_000 }
    // The buffer's window, and what was on its way into it.
    #expect(bytes.task.countOfBytesReceived < 2_000_000)
    var sum = 0
    for try await byte in bytes { sum &+= Int(byte) }
    try await eventually { bytes.task.state == .completed }
    #expect(bytes.task.countOfBytesReceived == Self.big)
    #expect(bytes.task.error == nil)
  }

  @Test func `the delegate of the call is asked about redirects (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    let recorder = Recorder()
    let (bytes, _) = try await fixture.session.bytes(
      from: try fixture.url("/redirect/302?to=/ok"), delegate: recorder)
    var text: [UInt8] = []
    for try await byte in bytes { text.append(byte) }
    #expect(text == Array("ok".utf8))
    #expect(recorder.log.all == [.created, .redirect(302)])
  }

  @Test func `lines, characters and scalars out of bytes (B.2)`() async throws {
    let fixture = try Fixture(Self.routes)
    let url = try fixture.url("/lines")
    var lines: [String] = []
    for try await line in try await fixture.session.bytes(from: url).0.lines { lines.append(line) }
    #expect(lines == ["one", "two", "three", "ümlaut", "\u{1F600}"])
    var characters = ""
    for try await character in try await fixture.session.bytes(from: url).0.characters { characters.append(character) }
    #expect(characters == "one\r\n\r\ntwo\nthree\u{2028}\u{85}ümlaut\u{B}\u{1F600}")
    #expect(try await url.lines.reduce(into: []) { $0.append($1) } == lines)
    #expect(try await url.resourceBytes.reduce(0) { count, _ in count + 1 } == characters.utf8.count)
  }
}

@Suite struct LineSplitterTests {
  /// Cuts lines out of bytes that come in pieces of this size, or of random ones.
  private func lines(_ bytes: [UInt8], piece: Int? = nil) -> [String] {
    var (splitter, lines, rest) = (LineSplitter(), [String](), bytes[...])
    while !rest.isEmpty {
      let piece = Array(rest.prefix(piece ?? Int.random(in: 1...40)))
      rest = rest.dropFirst(piece.count)
      piece.withUnsafeBufferPointer { buffer in
        var start = 0
        while start < buffer.count {
          let (count, line) = splitter.take(UnsafeBufferPointer(rebasing: buffer[start...]))
          #expect(count > 0)
          start += count
          if let line { lines.append(line) }
        }
      }
    }
    return lines + [splitter.rest()].compactMap { $0 }
  }

  /// The same by the rule, byte by byte.
  private func linesByRule(_ bytes: [UInt8]) -> [String] {
    let ends: [[UInt8]] = [[10], [11], [12], [13], [0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9]]
    var (lines, line) = ([[UInt8]](), [UInt8]())
    for byte in bytes {
      line.append(byte)
      guard let end = ends.first(where: { line.suffix($0.count) == $0[...] }) else { continue }
      lines.append(line.dropLast(end.count))
      line = []
    }
    return (lines + [line]).filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `every end of a line ends one, empty lines are left out, and the last needs no end`() {
    #expect(lines(Array("a\nb\rc\r\nd\u{B}e\u{C}f\u{85}g\u{2028}h\u{2029}i".utf8)) == "abcdefghi".map { "\($0)" })
    #expect(lines(Array("\n\n\r\r\n\u{2028}\u{2029}\u{85}".utf8)) == [])
    #expect(lines(Array("a\n\nb\n".utf8)) == ["a", "b"])
  }

  @Test func `bytes that are part of other characters, or no UTF-8, end nothing`() {
    #expect(lines(Array("\u{A8}\u{A9}\u{C5}\u{2027}\u{202A}".utf8)) == ["\u{A8}\u{A9}\u{C5}\u{2027}\u{202A}"])
    #expect(lines([0x85, 0xA8, 0x80, 0xA9]) == ["\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"])
  }

  @Test func `in whatever pieces bytes come, the lines are the same`() {
    let samples: [UInt8] = [0xE2, 0x80, 0xA8, 0xA9, 0xC2, 0x85, 10, 13, 9, 97, 98, 99, 100, 101, 102]
    for _ in 0..<3000 {
      let bytes = (0..<60).map { _ in samples.randomElement() ?? 0 }
      let expected = linesByRule(bytes)
      for piece in [1, 8, 60, nil] { #expect(lines(bytes, piece: piece) == expected) }
    }
  }

  @Test func `lines, scalars and characters of bytes that come one by one, or of iterators of a program's own`()
    async throws
  {
    let text = "a\u{301}\u{1F468}\u{200D}\u{1F469} é\nzweite \u{FFFD}\r\n漢"
    func bytes() -> AsyncStream<UInt8> {
      AsyncStream { continuation in
        for byte in text.utf8 { continuation.yield(byte) }
        continuation.finish()
      }
    }
    #expect(try await bytes().lines.reduce(into: []) { $0.append($1) } == linesByRule(Array(text.utf8)))
    #expect(try await bytes().characters.reduce(into: "") { $0.append($1) } == text)
    #expect(try await bytes().characters.reduce(0) { count, _ in count + 1 } == text.count)
    #expect(try await bytes().unicodeScalars.reduce(into: []) { $0.append($1) } == Array(text.unicodeScalars))
  }

  @Test func `scalars are the same in whatever pieces bytes come`() {
    func scalars(_ bytes: [UInt8], piece: Int) -> [Unicode.Scalar] {
      var (decoder, scalars) = (ScalarDecoder(), [Unicode.Scalar]())
      for start in stride(from: 0, to: bytes.count, by: piece) {
        Array(bytes[start..<min(start + piece, bytes.count)]).withUnsafeBufferPointer { buffer in
          var start = 0
          while start < buffer.count {
            let (count, scalar) = decoder.take(UnsafeBufferPointer(rebasing: buffer[start...]))
            start += count
            if let scalar { scalars.append(scalar) }
          }
        }
      }
      return scalars + [decoder.rest()].compactMap { $0 }
    }
    let text = "é漢\u{1F600}a\u{7FF}\u{800}\u{10FFFF}"
    for piece in 1...20 { #expect(scalars(Array(text.utf8), piece: piece) == Array(text.unicodeScalars)) }
    for _ in 0..<2000 {
      let bytes = (0..<30).map { _ in [0xE2, 0x80, 0xF0, 0x9F, 0xC2, 0xA8, 97, 0xFF].randomElement() ?? 0 as UInt8 }
      let whole = scalars(bytes, piece: 30)
      for piece in [1, 3, 7] { #expect(scalars(bytes, piece: piece) == whole) }
    }
  }
}
