// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective, as note N4 writes it: no code makes the file. The handle is
/// nil, and each call to it does nothing.
enum MissingFile {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let writer = Writer(file, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let file: URL
    private let done: () -> Void
    private var fileHandle: FileHandle?
    init(_ file: URL, _ done: @escaping () -> Void) {
      (self.file, self.done) = (file, done)
    }

    // begin missing
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      fileHandle = FileHandle(forWritingAtPath: file.path)  // ←
      print("the handle is \(fileHandle == nil ? "nil" : "there")")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      fileHandle?.seekToEndOfFile()
      fileHandle?.write(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      fileHandle?.closeFile()
      print("finished")
      done()
    }
    // end missing

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      done()
    }
  }
}
