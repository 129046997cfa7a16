// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// An output stream takes the pieces: opened before the first, closed after
/// the last.
enum StreamToFile {
  static func run(_ app: ExampleContext) {
    download(
      app, OutputStream(toFileAtPath: path(app), append: true), opens: true)
  }

  /// Defective: nobody opens the stream, and nobody looks at the answers.
  static func neverOpened(_ app: ExampleContext) {
    download(
      app, OutputStream(toFileAtPath: path(app), append: true), opens: false
    )
  }

  private static func path(_ app: ExampleContext) -> String {
    app.scratch.appendingPathComponent("download").path
  }

  private static func download(
    _ app: ExampleContext, _ stream: OutputStream?, opens: Bool
  ) {
    guard let stream else { return }
    if opens { stream.open() }
    let writer = Writer(stream, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let stream: OutputStream
    private let quit: () -> Void

    init(_ stream: OutputStream, _ quit: @escaping () -> Void) {
      (self.stream, self.quit) = (stream, quit)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      _ = stream.write([UInt8](data), maxLength: data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print(
        "stream \(stream.streamStatus == .notOpen ? "not open" : "open")")
      stream.close()
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      quit()
    }
  }
}
