// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: note N1's code with a stream that takes less than it is
/// offered. What `write` answers is not looked at, and the rest is lost.
enum ShortWrites {
  static func run(_ app: ExampleContext) {
    let writer = Writer(app)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var fileStream: OutputStream?
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      let file = app.scratch.appendingPathComponent("download")
      try? FileManager.default.removeItem(at: file)
      fileStream = NarrowStream(toFileAtPath: file.path, append: true)
      fileStream?.open()
    }

    // begin ignored
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      _ = fileStream?.write([UInt8](data), maxLength: data.count)  // ←
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      fileStream?.close()
      print("finished")
      app.quit()
    }
    // end ignored

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      app.quit()
    }
  }
}
