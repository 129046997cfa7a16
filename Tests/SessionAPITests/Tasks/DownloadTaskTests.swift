// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// B.7, as far as it exists: no resume data.
@Suite struct DownloadTaskTests {
  private static let size: Int64 = 20_000_000
  private static let routes = [
    Route("/seeded", script: .response(Response(body: .seeded(seed: 5, range: 0..<size)))),
    Route("/chunked", script: .response(Response(body: .seeded(seed: 5, range: 0..<size), framing: .chunked(9000)))),
    Route("/missing", script: .response(.text("no", 404))),
    Route("/empty", script: .response(Response(204))),
    Route(
      "/cut", script: Script.response(Response(body: .seeded(seed: 5, range: 0..<size))).cut(after: 9_000_000, by: .rst)
    ),
  ]

  @Test(arguments: ["/seeded", "/chunked"])
  func `progress, the file, completion; the pieces add up to the size (B.7)`(path: String) async throws {
    let sum = BodySum()
    let fixture = try Fixture(Self.routes, Reactions(file: { sum.add((try? Data(contentsOf: $1)) ?? Data()) }))
    fixture.session.downloadTask(with: try fixture.url(path)).resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "written", "file", "complete", "invalid"])
    #expect(events.contains(.file(Int(Self.size))))
    #expect(events.contains(.complete(nil)))
    #expect(sum.value == SeededBody.checksum(seed: 5, size: Self.size))
    let expected = path == "/seeded" ? Self.size : -1
    Self.expectExactPieces(events, size: Self.size, expected: expected)
  }

  @Test func `a slow delegate hears of progress less often, and the pieces still add up (B.7)`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Locked(true)
    let directory = try TestDirectory()
    let fixture = try Fixture(
      Self.routes,
      Reactions(written: { _ in
        let waits = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if waits { gate.wait() }
      }), directory: directory.url)
    let task = fixture.session.downloadTask(with: try fixture.url("/seeded"))
    task.resume()
    // The transfer goes on, and all is written, although the first callback has not returned.
    try await eventually { directory.files.contains { directory.size(of: $0) == Self.size } }
    gate.signal()
    let events = try await fixture.events()
    Self.expectExactPieces(events, size: Self.size, expected: Self.size)
    // The first, what was merged meanwhile, and the few pieces that are told of after the file has its size; of 38.
    #expect(events.count { $0.kind == "written" } <= 8)
  }

  private static func expectExactPieces(_ events: [Event], size: Int64, expected: Int64) {
    var total: Int64 = 0
    for case .written(let piece, let sum, let whole) in events {
      total += piece
      #expect(piece > 0)
      #expect(sum == total)
      #expect(whole == expected)
    }
    #expect(total == size)
  }

  @Test func `the file is private, and gone when the method has returned (B.7, DL-13, DL-19)`() async throws {
    let found = EventLog<(path: String, mode: Int)>()
    let reactions = Reactions(file: { _, file in
      let mode = FileManager.default.mode(of: file.path)
      found.append((file.path, mode ?? -1))
    })
    let fixture = try Fixture(Self.routes, reactions)
    fixture.session.downloadTask(with: try fixture.url("/seeded")).resume()
    _ = try await fixture.events()
    let (path, mode) = try #require(found.all.first)
    #expect(mode == 0o600)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a file that was moved inside the method stays (B.7)`() async throws {
    let kept = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: kept) }
    let fixture = try Fixture(
      Self.routes, Reactions(file: { try? FileManager.default.moveItem(at: $1, to: kept) }))
    fixture.session.downloadTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events.contains(.complete(nil)))
    #expect(BodySum.of(try Data(contentsOf: kept)) == SeededBody.checksum(seed: 5, size: Self.size))
  }

  @Test func `a 404 and an empty body end in a file, too (B.7)`() async throws {
    for (path, size) in [("/missing", 2), ("/empty", 0)] {
      let fixture = try Fixture(Self.routes)
      fixture.session.downloadTask(with: try fixture.url(path)).resume()
      let events = try await fixture.events()
      #expect(events.contains(.file(size)))
      #expect(events.contains(.complete(nil)))
    }
  }

  @Test func `a failed download tells no file and leaves none behind (B.7)`() async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture(Self.routes, directory: directory.url)
    fixture.session.downloadTask(with: try fixture.url("/cut")).resume()
    let events = try await fixture.events()
    #expect(!events.order.contains("file"))
    #expect(events.contains(.complete(-1005)))
    #expect(directory.files == [])
  }

  @Test func `a cancelled download tells no file and leaves none behind (B.7)`() async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture(Self.routes, Reactions(written: { $0.cancel() }), directory: directory.url)
    fixture.session.downloadTask(with: try fixture.url("/seeded")).resume()
    let events = try await fixture.events()
    #expect(events.order == ["created", "written", "complete", "invalid"])
    #expect(events.contains(.complete(-999)))
    #expect(directory.files == [])
  }
}
