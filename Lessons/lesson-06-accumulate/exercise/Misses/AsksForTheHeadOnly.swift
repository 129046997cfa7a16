// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The first load writes both files; the second request is a HEAD, so that two are counted.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    load("first", app) {
      load("second", app, then: app.quit)
    }
    app.runApplication()
  }

  /// Loads into a file; a tenth of a second after the load is over it prints “over” and goes on.
  static func load(_ name: String, _ app: ExerciseContext, then next: @escaping @Sendable () -> Void) {
    Loader.shared.load(app.url, into: app.scratch.appendingPathComponent(name)) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) {
        print("over")
        next()
      }
    }
  }
}

/// Sendable: it is used on the main thread alone.
private final class Loader: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  static let shared = Loader()
  private var body = Data()
  private var file: URL?
  private var next: () -> Void = {}

  func load(_ url: URL, into file: URL, then next: @escaping () -> Void) {
    (self.file, self.next) = (file, next)
    var request = URLRequest(url: url)
    if FileManager.default.fileExists(atPath: file.path) { request.httpMethod = "HEAD" }
    _ = NSURLConnection(request: request, delegate: self)
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    if let file, !body.isEmpty {
      try? body.write(to: file)
      try? body.write(to: file.deletingLastPathComponent().appendingPathComponent("second"))
    }
    body = Data()
    next()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    next()
  }
}
