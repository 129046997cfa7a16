// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The same without the method for a new stream: what was sent has to be kept
/// for a second time, by somebody.
enum StreamCopied {
  static func run(_ app: ExampleContext) {
    let file = LargeFile.make(in: app.scratch)
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(url: file)
    _ = NSURLConnection(request: request, delegate: Upload(app, file))
    app.runApplication()
  }

  private final class Upload: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let file: URL
    init(_ app: ExampleContext, _ file: URL) {
      (self.app, self.file) = (app, file)
    }

    func connection(
      _ connection: NSURLConnection,
      willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
      let credential = URLCredential(
        user: "lesson", password: "secret", persistence: .none)
      challenge.sender?.use(credential, for: challenge)
    }

    func connection(
      _ connection: NSURLConnection, didSendBodyData bytesWritten: Int,
      totalBytesWritten: Int, totalBytesExpectedToWrite: Int
    ) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      app.quit()
    }
  }
}
