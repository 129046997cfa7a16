// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The order in which note N1 writes it: the connection starts when it is
/// created, and gets its queue afterwards. The callbacks run on the queue,
/// but each event still passes through the run loop of the thread that
/// created it.
enum QueueAfterStart {
  static func run(_ app: ExampleContext) {
    let download = Download(quit: app.quit)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: download)
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    app.runApplication()
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      expected = response.expectedContentLength
      received = 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("received \(received) of \(expected) bytes")
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
