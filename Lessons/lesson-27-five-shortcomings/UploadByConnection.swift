// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// An upload by a connection, with the same protocol as for small data. Here
/// the connection reports the progress.
enum UploadByConnection {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 120, count: 16 << 20)
    _ = NSURLConnection(request: request, delegate: Load(app))
    app.runApplication()
  }

  // begin class
  private final class Load: NSObject, NSURLConnectionDataDelegate {  // ←
    // end class
    private let app: ExampleContext
    private var progress = 0.0

    init(_ app: ExampleContext) { self.app = app }

    // begin sent
    func connection(
      _ connection: NSURLConnection, didSendBodyData bytesWritten: Int,
      totalBytesWritten: Int, totalBytesExpectedToWrite: Int
    ) {
      progress = Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)
    }
    // end sent

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("sent, progress \(progress)")
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
