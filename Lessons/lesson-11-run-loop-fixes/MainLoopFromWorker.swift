// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The worker hands the callbacks to the main loop, which runs anyway, and
/// has nothing to wait for.
enum MainLoopFromWorker {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      // begin main-loop
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app),
        startImmediately: false)
      connection?.schedule(in: .main, forMode: .common)  // ←
      connection?.start()
      // end main-loop
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var status = 0
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish with status \(status)")
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
