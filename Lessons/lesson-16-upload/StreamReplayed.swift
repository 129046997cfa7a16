// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A large file is sent as a stream. The server asks for a password when it
/// has received all of it; the delegate opens the file once more.
enum StreamReplayed {
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
      _ connection: NSURLConnection, needNewBodyStream request: URLRequest
    ) -> InputStream? {
      print("a new stream is asked for")
      return InputStream(url: file)
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
