// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The body is emptied when the next load begins, and by a timer after the last: for the whole time to the second
/// load the first body is still there.
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
  private var next: () -> Void = {}

  func load(_ url: URL, into file: URL, then next: @escaping () -> Void) {
    (self.file, self.next) = (file, next)
    _ = NSURLConnection(request: URLRequest(url: url), delegate: self)
  }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    if let file { try? body.write(to: file) }
    let isLast = file?.lastPathComponent == "second"
    next()
    if isLast {
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { self.body = Data() }
    }
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    next()
  }
}
