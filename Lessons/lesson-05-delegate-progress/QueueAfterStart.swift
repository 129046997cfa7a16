// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: as note N1 writes it. The connection starts when it is created
/// and gets its queue afterwards, so each event still passes through the run
/// loop of the thread that created it; and the progress is a division by the
/// expected length, whatever that is.
enum QueueAfterStart {
  static func run(_ app: ExampleContext) {
    let download = Download(quit: app.quit)
    // begin as-written
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: download)  // ←
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    // end as-written
    app.runApplication()
  }

  private final class Download: NSObject, NSURLConnectionDataDelegate {
    private var expected: Int64 = 0
    private var received: Int64 = 0
    private var progress: Float = 0
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    // begin division
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      expected = response.expectedContentLength
      received = 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += Int64(data.count)
      progress = Float(received) / Float(expected)  // ←
    }
    // end division

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("progress \(progress)")
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      quit()
    }
  }
}
