// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The cures: a connection that gets its place before it starts.
enum DeliveredElsewhere {
  /// On a queue: no loop is needed.
  static func onQueue(_ app: ExampleContext) {
    DispatchQueue.global().async {
      // begin queue
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app),
        startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())  // ←
      connection?.start()
      // end queue
    }
    app.runApplication()
  }

  /// On the main loop, which the application runs.
  static func onMainLoop(_ app: ExampleContext) {
    DispatchQueue.global().async {
      print("start")
      // begin main-loop
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app),
        startImmediately: false)
      connection?.schedule(in: .main, forMode: .default)  // ←
      connection?.start()
      // end main-loop
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var (status, received) = (0, 0)
    init(_ app: ExampleContext) { self.app = app }
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      received += data.count
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print(status == 200 ? "received \(received) bytes" : "status \(status)")
      app.quit()
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
