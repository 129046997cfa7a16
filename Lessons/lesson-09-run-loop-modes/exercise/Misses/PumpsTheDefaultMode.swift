// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// While the person scrolls, a timer runs the loop in the default mode again and again: the bar moves, and the finger
/// waits meanwhile.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let pump = Timer(timeInterval: 0.05, repeats: true) { _ in
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.04))
    }
    RunLoop.main.add(pump, forMode: .tracking)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
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
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
