// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: note N1's code without the line that opens the stream. It takes
/// nothing, and no code looks at its answers.
enum NeverOpened {
  static func run(_ app: ExampleContext) {
    let writer = Writer(app)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var fileStream: OutputStream?
    init(_ app: ExampleContext) { self.app = app }

    // begin never-opened
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      let file = app.scratch.appendingPathComponent("download")
      try? FileManager.default.removeItem(at: file)
      fileStream = OutputStream(toFileAtPath: file.path, append: true)  // ←
    }
    // end never-opened

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      _ = fileStream?.write([UInt8](data), maxLength: data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      let isOpen = fileStream?.streamStatus != .notOpen
      print("the stream is \(isOpen ? "open" : "not open")")
      fileStream?.close()
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      app.quit()
    }
  }
}
