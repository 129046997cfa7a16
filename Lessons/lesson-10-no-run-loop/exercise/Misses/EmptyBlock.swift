// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The block does nothing of use; the load is started beside it: not “still started from that block”.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async { print("started") }
    DispatchQueue.main.async {
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var body = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
