// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LessonKit

@Suite struct NarrowStreamTests {
  private func stream(_ query: String, to file: URL) throws -> OutputStream {
    let url = try #require(URL(string: "http://localhost/body?size=1" + query))
    let app = ExerciseContext(ExampleContext(url: url, scratch: file.deletingLastPathComponent()))
    return try #require(app.narrowStream(for: file))
  }

  @Test func `it takes less than it is offered, and all of it in the end`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("narrow-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let narrow = try stream("", to: file)
    narrow.open()
    var (done, least) = (0, Int.max)
    while done < bytes.count {
      let taken = bytes[done...].withUnsafeBufferPointer { rest in
        rest.baseAddress.map { narrow.write($0, maxLength: rest.count) } ?? -1
      }
      guard taken > 0 else { break }
      least = min(least, taken)
      done += taken
    }
    narrow.close()
    #expect(least < 16 << 10)
    #expect(try Array(Data(contentsOf: file)) == bytes)
  }

  @Test func `it takes no more than there is room for`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("narrow-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let narrow = try stream("&room=3", to: file)
    narrow.open()
    #expect(narrow.streamError == nil && narrow.streamStatus == .open)
    var taken: [Int] = []
    while taken.count < 10, taken.last ?? 0 >= 0 { taken.append(narrow.write([1, 2, 3, 4], maxLength: 4)) }
    #expect((narrow.streamError as? CocoaError)?.code == .fileWriteOutOfSpace && narrow.streamStatus == .error)
    narrow.close()
    #expect(taken.dropLast().reduce(0, +) == 3 && taken.last == -1)
    #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
  }
}
