// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Transport
@testable import URLLoading

/// What waits to be stored beside the loads.
@Suite struct WaitingResponsesTests {
  private func response(_ text: String, _ path: String = "x") throws -> ResponseToStore {
    ResponseToStore(
      url: try #require(URL(string: "http://a.test/\(path)")),
      head: ResponseHead(status: 200, version: "HTTP/1.1", fields: [], contentLength: nil, decodedCodings: []),
      record: CacheRecord(requested: 0, received: 0, selectors: [:], digest: 0), body: Data(text.utf8))
  }

  private func texts(_ responses: [ResponseToStore]) -> [String] {
    responses.map { String(decoding: $0.body, as: UTF8.self) }.sorted()
  }

  /// A turn that has time for all.
  private func turn(_ waiting: inout WaitingResponses, _ now: ContinuousClock.Instant = .now) -> [ResponseToStore] {
    var taken: [ResponseToStore] = []
    while let response = waiting.take() { taken.append(response) }
    let isMoreLeft = waiting.turnEnded(now: now)
    #expect(!isMoreLeft)
    return taken
  }

  @Test func `the first is stored at once, of those that follow the last in a tenth of a second`() throws {
    var waiting = WaitingResponses()
    let now = ContinuousClock.now
    #expect(waiting.add(try response("1"), "x", now: now) == .zero)
    #expect(texts(turn(&waiting, now)) == ["1"])
    #expect(waiting.add(try response("2"), "x", now: now + .milliseconds(10)) == .milliseconds(90))
    #expect(waiting.add(try response("3"), "x", now: now + .milliseconds(20)) == nil)
    #expect(waiting.add(try response("4"), "y", now: now + .milliseconds(30)) == nil)
    #expect(texts(turn(&waiting, now + .milliseconds(100))) == ["3", "4"])
    #expect(turn(&waiting, now + .milliseconds(100)).isEmpty)
    #expect(waiting.add(try response("5"), "x", now: now + .seconds(1)) == .zero)
  }

  @Test func `what is forgotten meanwhile is not stored`() throws {
    var waiting = WaitingResponses()
    _ = waiting.add(try response("1"), "x", now: .now)
    _ = waiting.add(try response("2"), "y", now: .now)
    waiting.drop("x")
    #expect(texts(turn(&waiting)) == ["2"])
    _ = waiting.add(try response("3"), "x", now: .now)
    waiting.dropAll()
    #expect(turn(&waiting).isEmpty)
  }

  @Test func `a turn that was given up is taken up again`() throws {
    var waiting = WaitingResponses()
    let now = ContinuousClock.now
    #expect(waiting.add(try response("1"), "x", now: now) == .zero)
    #expect(waiting.add(try response("2"), "x", now: now + .milliseconds(50)) == nil)
    #expect(waiting.add(try response("3"), "x", now: now + .seconds(1)) == .zero)
  }

  @Test func `what waits is bounded in number and in bytes, and an older one of the same URL is gone`() throws {
    var waiting = WaitingResponses()
    for number in 0..<(WaitingResponses.countLimit + 10) {
      _ = waiting.add(try response("a"), "\(number)", now: .now)
    }
    #expect(turn(&waiting).count == WaitingResponses.countLimit)
    _ = waiting.add(try response("small"), "x", now: .now)
    _ = waiting.add(try response("other"), "y", now: .now)
    let large = String(repeating: "a", count: WaitingResponses.byteLimit)
    _ = waiting.add(try response(large), "x", now: .now)
    #expect(texts(turn(&waiting)) == ["other"])
  }

  @Test func `what a turn leaves is stored in the next, a tenth of a second later`() throws {
    var waiting = WaitingResponses()
    let now = ContinuousClock.now
    #expect(waiting.add(try response("1"), "x", now: now) == .zero)
    #expect(waiting.add(try response("2"), "y", now: now) == nil)
    let first = waiting.take()
    let isMoreLeft = waiting.turnEnded(now: now)
    #expect(first != nil && isMoreLeft)
    // The next turn is in hand.
    #expect(waiting.add(try response("3"), "z", now: now + .milliseconds(10)) == nil)
    #expect((texts([first].compactMap(\.self)) + texts(turn(&waiting))).sorted() == ["1", "2", "3"])
  }

  @Test func `the one of a URL can be taken by itself`() throws {
    var waiting = WaitingResponses()
    _ = waiting.add(try response("1"), "x", now: .now)
    _ = waiting.add(try response("2"), "y", now: .now)
    let (taken, none) = (waiting.take("y"), waiting.take("y"))
    #expect(taken.map { texts([$0]) } == ["2"] && none == nil)
    #expect(texts(turn(&waiting)) == ["1"])
  }
}
