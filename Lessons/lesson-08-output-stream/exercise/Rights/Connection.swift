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

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private let stream: OutputStream?
    init(_ app: ExerciseContext) {
      self.app = app
      stream = app.narrowStream(for: app.scratch.appendingPathComponent("download"))
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
      if error != nil { print("failed") }
      stream?.close()
      app.quit()
    }
  }
}
