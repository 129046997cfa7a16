// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The cures: a connection that is told where to call before it starts. Then
/// it does not matter where it is started.
enum DeliveredElsewhere {
  /// On a queue: no loop is needed.
  static func onQueue(_ app: ExampleContext) {
    start(app) { $0.setDelegateQueue(OperationQueue()) }
  }

  /// On the main loop, which runs.
  static func onMainLoop(_ app: ExampleContext) {
    start(app) { $0.schedule(in: .main, forMode: .default) }
  }

  private static func start(
    _ app: ExampleContext,
    choose: @escaping @Sendable (NSURLConnection) -> Void
  ) {
    DispatchQueue.global().async {
      print("start")
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(quit: app.quit),
        startImmediately: false)
      if let connection { choose(connection) }
      connection?.start()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished")
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
