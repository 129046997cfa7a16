// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// NSURLConnection: a pause cancels it, and the next one asks for the rest with Range and If-Range.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let downloader = Downloader(app)
    downloader.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { downloader.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { downloader.resume() }
    if FileManager.default.fileExists(atPath: app.scratch.appendingPathComponent("again").path) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { downloader.pause() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 3) { downloader.resume() }
    }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Downloader: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var connection: NSURLConnection?
  private var (body, tag) = (Data(), String?.none)

  init(_ app: ExerciseContext) { self.app = app }

  func start() {
    var request = URLRequest(url: app.url)
    request.cachePolicy = .reloadIgnoringLocalCacheData
    if let tag, !body.isEmpty {
      request.setValue("bytes=\(body.count)-", forHTTPHeaderField: "Range")
      request.setValue(tag, forHTTPHeaderField: "If-Range")
    }
    connection = NSURLConnection(request: request, delegate: self)
  }

  func pause() { connection?.cancel() }

  func resume() { start() }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    let answer = response as? HTTPURLResponse
    tag = answer?.value(forHTTPHeaderField: "ETag") ?? answer?.value(forHTTPHeaderField: "Last-Modified")
    if answer?.statusCode != 206 { body = Data() }
  }

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
