// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Runs the loop for fixed three seconds and ends: not “the load comes to its end” but the clock does.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async {
      let load = Load()
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 3))
      try? load.body.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private(set) var body = Data()

    func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
    }
  }
}
