// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the connection lives on a thread with a run loop of its own, which knows no touch; main gets the values.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      let load = Load(app)
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      while !load.isOver, RunLoop.current.run(mode: .default, before: .distantFuture) {}
    }
    app.runApplication()
  }

  /// Sendable: its methods are called on one thread alone.
  private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var body = Data()
    private var expected = 0
    var isOver = false
    init(_ app: ExerciseContext) { self.app = app }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expected = Int(response.expectedContentLength)
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
      let part = Double(body.count) / Double(expected)
      if expected > 0 { DispatchQueue.main.async { [app] in app.progress(part) } }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      isOver = true
      DispatchQueue.main.async { [app] in app.quit() }
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      isOver = true
      DispatchQueue.main.async { [app] in app.quit() }
    }
  }
}
