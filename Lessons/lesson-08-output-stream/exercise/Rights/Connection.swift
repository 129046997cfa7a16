// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: a connection's delegate opens the stream at the response and writes slices until the piece is done.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  /// A stream that takes at most 16 KiB at a time, as one over a pipe or a socket may. It stays as it is.
  private final class NarrowStream: OutputStream {
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
      super.write(buffer, maxLength: min(maxLength, 16 << 10))
    }
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private let stream: OutputStream?
    init(_ app: ExerciseContext) {
      self.app = app
      stream = NarrowStream(url: app.scratch.appendingPathComponent("download"), append: false)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { stream?.open() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      var rest = [UInt8](data)
      while !rest.isEmpty {
        let count = stream?.write(rest, maxLength: rest.count) ?? -1
        if count <= 0 {
          connection.cancel()
          return end(stream?.streamError ?? URLError(.cannotWriteToFile))
        }
        rest.removeFirst(count)
      }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) { end(nil) }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { end(error) }

    private func end(_ error: (any Error)?) {
      if let error { print("failed: \(error.localizedDescription)") }
      stream?.close()
      app.quit()
    }
  }
}
