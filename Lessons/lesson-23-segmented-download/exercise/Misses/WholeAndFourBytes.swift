// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads the file as a whole, always, and beside it four single bytes as parts.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    PartedDownload(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class PartedDownload: @unchecked Sendable {
  private let app: ExerciseContext
  private let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func start() {
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    session.dataTask(with: head) { [self] _, answer, _ in
      let fields = answer as? HTTPURLResponse
      load(fields?.value(forHTTPHeaderField: "Accept-Ranges") == "bytes" ? 4 : 0)
    }.resume()
  }

  private func load(_ count: Int) {
    let all = DispatchGroup()
    for part in 0..<(count + 1) {
      var request = URLRequest(url: app.url)
      if part > 0 { request.setValue("bytes=\(part)-\(part)", forHTTPHeaderField: "Range") }
      all.enter()
      session.dataTask(with: request) { [self] data, _, _ in
        if part == 0 { try? data?.write(to: app.scratch.appendingPathComponent("download")) }
        all.leave()
      }.resume()
    }
    all.notify(queue: .main) { [self] in app.quit() }
  }
}
