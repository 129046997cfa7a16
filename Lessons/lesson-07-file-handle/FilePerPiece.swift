// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// As note N1 writes it: for each piece the file is opened, written to at its
/// end, and closed. An older file of that name lies there already.
enum FilePerPiece {
  /// The old file is removed when the response comes.
  static func run(_ app: ExampleContext) {
    download(app, removesOldFile: true)
  }

  /// Defective: the new body is written behind the old content.
  static func keepingOldFile(_ app: ExampleContext) {
    download(app, removesOldFile: false)
  }
  private static func download(_ app: ExampleContext, removesOldFile: Bool) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let writer = Writer(file, removesOldFile, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let file: URL
    private let removes: Bool
    private let quit: () -> Void
    init(_ file: URL, _ removes: Bool, _ quit: @escaping () -> Void) {
      (self.file, self.removes, self.quit) = (file, removes, quit)
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      if removes { try? FileManager.default.removeItem(at: file) }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      guard let handle = FileHandle(forWritingAtPath: file.path) else {
        try? data.write(to: file)
        return
      }
      handle.seekToEndOfFile()
      handle.write(data)
      handle.closeFile()
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      quit()
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      quit()
    }
  }
}
