// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download by a connection, with the protocol that Apple documents for
/// Newsstand alone. The connection writes the file and reports the progress.
enum DownloadByConnection {
  static func run(_ app: ExampleContext) {
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  // begin class
  private final class Load: NSObject,
    NSURLConnectionDownloadDelegate  // ←
  {
    // end class
    private let app: ExampleContext
    private var progress = 0.0

    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didWriteData bytesWritten: Int64,
      totalBytesWritten: Int64, expectedTotalBytes: Int64
    ) {
      progress = Double(totalBytesWritten) / Double(expectedTotalBytes)
    }

    func connectionDidFinishDownloading(
      _ connection: NSURLConnection, destinationURL: URL
    ) {
      let file = app.scratch.appendingPathComponent("download")
      do {
        try FileManager.default.moveItem(at: destinationURL, to: file)
        print("finished, progress \(progress)")
      } catch { print("failed: \(error.localizedDescription)") }
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
