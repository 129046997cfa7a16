// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// One handle, opened when the response comes and closed at the end.
enum OneHandle {
  /// The file is made first, empty, in place of whatever was there.
  static func run(_ app: ExampleContext) {
    download(app, makesFile: true)
  }

  /// Defective, as in note N4: nobody makes the file. The handle is nil, and
  /// each call to it does nothing.
  static func withoutFile(_ app: ExampleContext) {
    download(app, makesFile: false)
  }

  private static func download(_ app: ExampleContext, makesFile: Bool) {
    let file = app.scratch.appendingPathComponent("download")
    let writer = Writer(file.path, makesFile, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let path: String
    private let makesFile: Bool
    private let quit: () -> Void
    private var handle: FileHandle?
    init(_ path: String, _ makesFile: Bool, _ quit: @escaping () -> Void) {
      (self.path, self.makesFile, self.quit) = (path, makesFile, quit)
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      if makesFile {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
      }
      handle = FileHandle(forWritingAtPath: path)
      print("the handle is \(handle == nil ? "nil" : "there")")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      handle?.write(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      handle?.closeFile()
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      quit()
    }
  }
}
