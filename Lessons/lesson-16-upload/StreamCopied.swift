// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The delegate has no method for a new stream: the library keeps a copy of
/// what it has sent.
enum StreamCopied {
  static func run(_ app: ExampleContext) {
    guard let file = try? LargeFile.make(in: app.scratch) else { return }
    send(file, app)
  }

  private static func send(_ file: URL, _ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(url: file)
    let upload = Upload()
    _ = NSURLConnection(request: request, delegate: upload)
    while !upload.isOver {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }

  private final class Upload: NSObject, NSURLConnectionDataDelegate {
    private(set) var isOver = false

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
      isOver = true
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \((error as NSError).code)")
      isOver = true
    }
  }
}
