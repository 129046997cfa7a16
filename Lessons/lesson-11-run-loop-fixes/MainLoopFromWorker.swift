// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The worker hands the callbacks to the main loop, which runs anyway, and
/// has nothing to wait for.
enum MainLoopFromWorker {
  static func run(_ app: ExampleContext) {
    Thread.detachNewThread {
      print("start")
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app),
        startImmediately: false)
      connection?.schedule(in: .main, forMode: .common)
      connection?.start()
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
  }
}
