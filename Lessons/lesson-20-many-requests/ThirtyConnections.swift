// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Thirty connections to one host, all started at once.
enum ThirtyConnections {
  static func run(_ app: ExampleContext) {
    let group = DispatchGroup()
    for _ in 1...30 {
      group.enter()
      NSURLConnection.sendAsynchronousRequest(
        URLRequest(url: app.url), queue: .main
      ) { _, data, error in
        if let error { print("failed: \(error.localizedDescription)") }
        group.leave()
      }
    }
    print("30 connections are under way")
    group.notify(queue: .main) {
      print("all have ended")
      app.quit()
    }
    app.runApplication()
  }
}
