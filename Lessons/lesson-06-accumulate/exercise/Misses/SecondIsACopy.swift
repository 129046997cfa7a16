// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The second request is cancelled at its response, and “second” is a copy of “first”: two requests are counted, one
/// body is loaded.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let loader = Loader.shared
    loader.load(app.url, into: app.scratch.appendingPathComponent("first")) {
      loader.load(app.url, into: app.scratch.appendingPathComponent("second")) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
      }
    }
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
private final class Loader: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  static let shared = Loader()
  private var body = Data()
  private var file: URL?
  private var loaded: URL?
  private var next: () -> Void = {}

  func load(_ url: URL, into file: URL, then next: @escaping () -> Void) {
    (self.file, self.next) = (file, next)
    _ = NSURLConnection(request: URLRequest(url: url), delegate: self)
  }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    guard let loaded, let file else { return }
    connection.cancel()
    try? FileManager.default.copyItem(at: loaded, to: file)
    next()
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    if let file { try? body.write(to: file) }
    loaded = file
    body = Data()
    next()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    body = Data()
    next()
  }
}
