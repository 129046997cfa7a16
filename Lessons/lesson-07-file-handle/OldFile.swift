// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: note N1's code without the line that removes the old file. The
/// new body is written behind the old content.
enum OldFile {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let writer = Writer(file, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let file: URL
    private let done: () -> Void
    init(_ file: URL, _ done: @escaping () -> Void) {
      (self.file, self.done) = (file, done)
    }

    // begin old-file
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      let handle = FileHandle(forWritingAtPath: file.path)
      if let handle {
        handle.seekToEndOfFile()  // ←
        handle.write(data)
        handle.closeFile()
      } else {
        try? data.write(to: file, options: .atomic)
      }
    }
    // end old-file

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
