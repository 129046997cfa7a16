// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the block runs its thread's loop until the delegate says that the load is over.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    DispatchQueue.global().async {
      let load = Load()
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      while !load.isOver, RunLoop.current.run(mode: .default, before: .distantFuture) {}
      if load.error == nil { try? load.body.write(to: app.scratch.appendingPathComponent("download")) }
      app.quit()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private(set) var body = Data()
    private(set) var isOver = false
    private(set) var error: (any Error)?

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

    func connectionDidFinishLoading(_ connection: NSURLConnection) { isOver = true }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      (self.error, isOver) = (error, true)
    }
  }
}
