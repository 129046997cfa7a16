// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: the loader uses download tasks; no body and no session of its own is left.
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

/// Sendable: it has no state.
private final class Loader: Sendable {
  static let shared = Loader()

  func load(_ url: URL, into file: URL, then next: @escaping @Sendable () -> Void) {
    let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    URLSession.shared.downloadTask(with: request) { location, _, error in
      do {
        guard let location else { throw error ?? URLError(.unknown) }
        try FileManager.default.moveItem(at: location, to: file)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      DispatchQueue.main.async(execute: next)
    }.resume()
  }
}
