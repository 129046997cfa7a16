// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: returns the very stream that has been sent from.
enum StreamUsedUp {
  static func run(_ app: ExampleContext) {
    guard let file = try? LargeFile.make(in: app.scratch) else { return }
    send(file, app)
  }

  private static func send(_ file: URL, _ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    let upload = Upload(InputStream(url: file))
    request.httpBodyStream = upload.stream
    _ = NSURLConnection(request: request, delegate: upload)
    while !upload.isOver {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }

  private final class Upload: NSObject, NSURLConnectionDataDelegate {
    let stream: InputStream?
    private(set) var isOver = false
    init(_ stream: InputStream?) { self.stream = stream }

    // begin used-up
    func connection(
      _ connection: NSURLConnection, needNewBodyStream request: URLRequest
    ) -> InputStream? {
      print("a new stream is asked for")
      return stream  // ←
    }
    // end used-up

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
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
