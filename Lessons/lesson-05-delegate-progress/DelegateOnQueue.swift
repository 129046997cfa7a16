// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Progress on a queue: created without starting, given its queue, then
/// started. No run loop takes part.
enum DelegateOnQueue {
  static func run(_ app: ExampleContext) {
    let download = Download(quit: app.quit)
    // begin queue-first
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: download,
      startImmediately: false)  // ←
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    // end queue-first
    app.runApplication()
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var status = 0
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      expected = response.expectedContentLength
      received = 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print(
        status == 200
          ? "received \(received) of \(expected) bytes" : "failed: \(status)")
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      quit()
    }
  }
}
