// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: a connection's delegate writes each piece to an output stream.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var stream: OutputStream?
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      stream?.close()
      stream = OutputStream(url: app.scratch.appendingPathComponent("download"), append: false)
      stream?.open()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      var rest = data
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { bytes in
          bytes.bindMemory(to: UInt8.self).baseAddress.flatMap { stream?.write($0, maxLength: bytes.count) } ?? -1
        }
        guard count > 0 else {
          connection.cancel()
          return app.quit()
        }
        rest = rest.dropFirst(count)
      }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      stream?.close()
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      stream?.close()
      app.quit()
    }
  }
}
