// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: an asynchronous sequence of bytes; every 16 KiB, and the last rest, go through the stream until all is
/// taken.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task { @MainActor in
      do { try await load(app) } catch { print("failed: \(error.localizedDescription)") }
      app.quit()
    }
    app.runApplication()
  }

  /// A stream that takes at most 16 KiB at a time, as one over a pipe or a socket may. It stays as it is.
  private final class NarrowStream: OutputStream {
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
      super.write(buffer, maxLength: min(maxLength, 16 << 10))
    }
  }

  @MainActor
  private static func load(_ app: ExerciseContext) async throws {
    guard let stream = NarrowStream(url: app.scratch.appendingPathComponent("download"), append: false) else { return }
    stream.open()
    defer { stream.close() }
    var piece: [UInt8] = []
    for try await byte in try await URLSession.shared.bytes(from: app.url).0 {
      piece.append(byte)
      if piece.count == 16 << 10 { try write(&piece, to: stream) }
    }
    try write(&piece, to: stream)
  }

  private static func write(_ piece: inout [UInt8], to stream: OutputStream) throws {
    while !piece.isEmpty {
      let count = stream.write(piece, maxLength: piece.count)
      guard count > 0 else { throw stream.streamError ?? URLError(.cannotWriteToFile) }
      piece.removeFirst(count)
    }
  }
}
