// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective, as note N4's second version writes it: the handle is opened on
/// a file that no code has made.
enum WithHandle {
  static func run(_ app: ExampleContext) {
    let manager = Manager(app)
    NetworkThread.shared.perform {
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
    private var filename: String?
    private var fileHandle: FileHandle?
    init(_ app: ExampleContext) { self.app = app }

    // begin with-handle
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      filename = response.suggestedFilename
      let path = app.scratch.appendingPathComponent(filename ?? "").path
      fileHandle = FileHandle(forWritingAtPath: path)  // ←
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
    // end with-handle
  }
}
