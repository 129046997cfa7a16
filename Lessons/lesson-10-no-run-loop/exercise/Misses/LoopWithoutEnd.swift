// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The wrong cure: the thread runs its loop, but in a mode in which the connection is not scheduled.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      let load = Load(app)
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      RunLoop.current.add(Timer(timeInterval: 1e6, repeats: false) { _ in }, forMode: .tracking)
      while true { _ = RunLoop.current.run(mode: .tracking, before: .distantFuture) }
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }
    func connectionDidFinishLoading(_ connection: NSURLConnection) { app.quit() }
  }
}
