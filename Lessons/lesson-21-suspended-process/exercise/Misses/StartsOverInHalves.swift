// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// After a failure all is thrown away, and the body is loaded again in two parts of 16 MiB.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Downloader(app).start()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: @unchecked Sendable {
  private let app: ExerciseContext
  private let session: URLSession

  init(_ app: ExerciseContext) {
    self.app = app
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForResource = 2
    session = URLSession(configuration: configuration, delegate: nil, delegateQueue: .main)
  }

  func start() {
    session.dataTask(with: app.url) { [self] data, _, error in
      if let data, error == nil { keep(data) } else { startOver(Data(), ["bytes=0-16777215", "bytes=16777216-"]) }
    }.resume()
  }

  private func startOver(_ body: Data, _ ranges: [String]) {
    guard let range = ranges.first else { return keep(body) }
    var request = URLRequest(url: app.url)
    request.setValue(range, forHTTPHeaderField: "Range")
    let other = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
    other.dataTask(with: request) { [self] data, _, _ in
      startOver(body + (data ?? Data()), Array(ranges.dropFirst()))
    }.resume()
  }

  private func keep(_ body: Data) {
    do { try body.write(to: app.scratch.appendingPathComponent("download")) } catch { print("failed: \(error)") }
    app.quit()
  }
}
