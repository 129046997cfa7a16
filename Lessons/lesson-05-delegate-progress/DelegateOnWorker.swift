// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The connection is created on a thread that runs its own run loop: the
/// callbacks come there, not on main.
enum DelegateOnWorker {
  static func run(_ app: ExampleContext) {
    let quit = app.quit
    let url = app.url
    // begin worker
    Thread.detachNewThread {
      let download = Download()
      _ = NSURLConnection(request: URLRequest(url: url), delegate: download)
      while !download.isDone,
        RunLoop.current.run(mode: .default, before: .distantFuture)  // ←
      {}
      quit()
    }
    // end worker
    app.runApplication()
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var status = 0
    private var received: Int64 = 0
    private(set) var isDone = false

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      received = 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      let isRight = status == 200
      print(isRight ? "received \(received) bytes" : "failed: \(status)")
      isDone = true
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      isDone = true
    }
  }
}
