// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The manager of note N4, second version: the pieces go into a file.
enum ManagerWithHandle {
  /// Defective: the handle is opened on a file that nobody has made.
  static func run(_ app: ExampleContext) {
    let manager = Manager(app)
    NetworkThread(hasPort: true).perform {
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: manager,
        startImmediately: false)
      connection?.schedule(in: .current, forMode: .common)
      connection?.start()
    }
    app.runApplication()
  }

  /// Sendable: its methods are called on the network thread alone.
  private final class Manager: NSObject, NSURLConnectionDataDelegate,
    @unchecked Sendable
  {
    private let app: ExampleContext
    private var fileHandle: FileHandle?

    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      let name = response.suggestedFilename ?? "download"
      let path = app.scratch.appendingPathComponent(name).path
      fileHandle = FileHandle(forWritingAtPath: path)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      fileHandle?.seekToEndOfFile()
      fileHandle?.write(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      fileHandle?.closeFile()
      print("finished")
      app.quit()
    }
  }
}
