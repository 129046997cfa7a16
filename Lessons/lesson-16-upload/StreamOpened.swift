// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Returns a new stream that the program has opened already.
enum StreamOpened {
  static func run(_ app: ExampleContext) {
    guard let file = try? LargeFile.make(in: app.scratch) else { return }
    send(file, app)
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
      let stream = InputStream(url: file)
      stream?.open()
      return stream
    }

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
