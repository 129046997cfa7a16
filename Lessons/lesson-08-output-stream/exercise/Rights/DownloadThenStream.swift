// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: the body is downloaded to a file, which then goes through the stream, each block until all of it is taken.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task.detached {
      do {
        let (place, _) = try await URLSession.shared.download(for: URLRequest(url: app.url))
        defer { try? FileManager.default.removeItem(at: place) }
        try copy(app, place, app.scratch.appendingPathComponent("download"))
      } catch {
        print("failed")
      }
      app.quit()
    }
    app.runApplication()
  }

  private static func copy(_ app: ExerciseContext, _ source: URL, _ target: URL) throws {
    guard let input = InputStream(url: source), let output = app.narrowStream(for: target) else {
      throw CocoaError(.fileNoSuchFile)
    }
    input.open()
    output.open()
    defer {
      input.close()
      output.close()
    }
    let size = 64 << 10
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    defer { block.deallocate() }
    while true {
      let got = input.read(block, maxLength: size)
      if got == 0 { return }
      guard got > 0 else { throw input.streamError ?? CocoaError(.fileReadUnknown) }
      var sent = 0
      while sent < got {
        let n = output.write(block + sent, maxLength: got - sent)
        guard n > 0 else { throw output.streamError ?? CocoaError(.fileWriteUnknown) }
        sent += n
      }
    }
  }
}
