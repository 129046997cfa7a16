// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Heard on a queue, but ends when 1 MiB has come: a body that is shorter never ends it.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async {
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app), startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var body = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      guard body.count >= 1 << 20 else { return }
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
