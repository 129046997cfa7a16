// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// A timer of the tracking mode waits for the end of the load in the default mode: the bar moves, but the touch is held
/// until then.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let hold = Timer(timeInterval: 0.5, repeats: false) { _ in
      while !Load.isOver { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
    RunLoop.main.add(hold, forMode: .tracking)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    nonisolated(unsafe) static var isOver = false
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
      if expected > 0 { app.progress(Double(body.count) / Double(expected)) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      Self.isOver = true
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      Self.isOver = true
      app.quit()
    }
  }
}
