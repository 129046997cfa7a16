// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The callbacks come on a queue of their own, also during the touch; the bar is moved by blocks for the default mode
/// alone, which all wait for the touch's end.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Load(app), startImmediately: false)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    connection?.setDelegateQueue(queue)
    connection?.start()
    app.runApplication()
  }

  /// Sendable: its methods are called on one serial queue alone.
  private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    private var expected = 0
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expected = Int(response.expectedContentLength)
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      let part = Double(body.count) / Double(expected)
      RunLoop.main.perform(inModes: [.default]) { [app] in app.progress(part) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      RunLoop.main.perform(inModes: [.default]) { [app] in app.quit() }
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
