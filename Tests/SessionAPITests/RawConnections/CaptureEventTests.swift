// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.8: the events of captured streams on run loops.
@Suite struct CaptureEventTests {
  /// Notes events; reads and writes as they allow it, and stops the loop at the end of the input.
  private final class Watcher: NSObject, StreamDelegate {
    var events: [String] = []
    var text = ""
    /// Behind the last the stream is closed; nil for writing nothing and closing nothing.
    var toWrite: [String]?
    var isOver = false

    init(toWrite: [String]?) {
      self.toWrite = toWrite
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
      let name = aStream is InputStream ? "in" : "out"
      switch eventCode {
      case .openCompleted: events.append("\(name) open")
      case .hasBytesAvailable: text += (aStream as? InputStream)?.get(2) ?? ""
      case .hasSpaceAvailable: write(to: aStream)
      case .endEncountered: events.append("\(name) end")
      case .errorOccurred: events.append("\(name) error")
      default: events.append("\(name) \(eventCode.rawValue)")
      }
      if aStream is InputStream, eventCode == .endEncountered || eventCode == .errorOccurred { isOver = true }
    }

    private func write(to stream: Stream) {
      guard let output = stream as? OutputStream, let next = toWrite?.first else {
        return toWrite == nil ? () : stream.close()
      }
      toWrite?.removeFirst()
      #expect(output.put(next) == next.utf8.count)
    }
  }

  /// Runs the loop of a thread of its own with both streams in this mode until the input is over.
  private static func run(
    _ pair: CapturedPair, in mode: RunLoop.Mode, writing texts: [String]?
  ) async throws -> ([String], String) {
    try await onThread {
      let watcher = Watcher(toWrite: texts)
      for stream in [pair.input, pair.output] as [Stream] {
        stream.delegate = watcher
        stream.schedule(in: .current, forMode: mode)
        stream.open()
      }
      let limit = Date() + TestMachine.patience
      while !watcher.isOver, Date() < limit { _ = RunLoop.current.run(mode: mode, before: limit) }
      pair.input.remove(from: .current, forMode: mode)
      // Nothing keeps the loop any more.
      pair.output.close()
      #expect(!RunLoop.current.run(mode: mode, before: limit))
      return (watcher.events, watcher.text)
    }
  }

  @Test(arguments: [RunLoop.Mode.default, RunLoop.Mode("own")])
  func `events come on the run loop, once for each reason (B8)`(mode: RunLoop.Mode) async throws {
    let fixture = try StreamFixture()
    fixture.task().captureStreams()
    let pair = try await fixture.recorder.pairs.take()
    let (events, text) = try await Self.run(pair, in: mode, writing: ["abcde", "fgh", "i"])
    #expect(text == "abcdefghi")
    #expect(Set(events.prefix(2)) == ["in open", "out open"])
    #expect(events.dropFirst(2) == ["in end"])
  }

  @Test func `an error is told once, behind the bytes before it (B8)`() async throws {
    let fixture = try StreamFixture(opening: [.bytes(Array("abc".utf8)), .gate("go"), .end(.rst)])
    let task = fixture.task()
    #expect(await task.put("x") == nil)
    task.captureStreams()
    let pair = try await fixture.recorder.pairs.take()
    pair.input.open()
    try await eventually { pair.input.hasBytesAvailable }
    fixture.server.open(gate: "go")
    let (events, text) = try await Self.run(pair, in: .default, writing: nil)
    #expect(text == "abc")
    #expect(events.filter { $0.hasPrefix("in ") } == ["in open", "in error"])
  }
}
