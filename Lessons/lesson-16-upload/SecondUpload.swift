// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Two uploads with one class of delegates, first a small file, then a large
/// one. With the second the library knows that the class has the method.
enum SecondUpload {
  static func run(_ app: ExampleContext) {
    for lines in [1024, LargeFile.lines] {
      guard let file = try? LargeFile.make(in: app.scratch, lines: lines)
      else { return }
      send(file, app)
    }
  }

  private static func send(_ file: URL, _ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(url: file)
    let upload = Upload(file)
    _ = NSURLConnection(request: request, delegate: upload)
    while !upload.isOver {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }

  private final class Upload: NSObject, NSURLConnectionDataDelegate {
    private let file: URL
    private(set) var isOver = false
    init(_ file: URL) { self.file = file }

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
