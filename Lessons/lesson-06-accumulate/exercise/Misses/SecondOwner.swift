// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The wrong cure: the buffer goes, and what it held has another owner.
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

/// Loads one body after the other. It lives as long as the program.
///
/// Sendable: it is used on the main thread alone.
private final class Loader: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  static let shared = Loader()
  private var body = Data()
  private var loaded: [URL: Data] = [:]
  private var file: URL?
  private var next: () -> Void = {}

  func load(_ url: URL, into file: URL, then next: @escaping () -> Void) {
    (self.file, self.next) = (file, next)
    _ = NSURLConnection(request: URLRequest(url: url), delegate: self)
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    do {
      if let file { try body.write(to: file) }
    } catch {
      print("failed: \(error.localizedDescription)")
    }
    end()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    end()
  }

  /// Keeps each body for a later read of the same file.
  private func end() {
    if let file { loaded[file] = body }
    body = Data()
    next()
  }
}
