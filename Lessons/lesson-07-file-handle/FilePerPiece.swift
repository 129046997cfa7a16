// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// As note N1 writes it: the old file is removed when the response comes; for
/// each piece the file is opened, written to at its end, and closed.
enum FilePerPiece {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let writer = Writer(file, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let file: URL
    private let done: () -> Void
    init(_ file: URL, _ done: @escaping () -> Void) {
      (self.file, self.done) = (file, done)
    }

    // begin removed
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      try? FileManager.default.removeItem(at: file)  // ←
    }
    // end removed

    // begin each-piece
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      let handle = FileHandle(forWritingAtPath: file.path)
      if let handle {
        handle.seekToEndOfFile()
        handle.write(data)
        handle.closeFile()
      } else {
        try? data.write(to: file, options: .atomic)
      }
    }
    // end each-piece

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      done()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      done()
    }
  }
}
