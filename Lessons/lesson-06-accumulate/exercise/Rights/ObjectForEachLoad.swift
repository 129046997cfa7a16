// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the loader keeps nothing; each load is an object of its own, which only its connection holds.
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

  func load(_ url: URL, into file: URL, then next: @escaping () -> Void) {
    _ = NSURLConnection(request: URLRequest(url: url), delegate: Load(file, next))
  }
}

private final class Load: NSObject, NSURLConnectionDataDelegate {
  private var body = Data()
  private let file: URL
  private let next: () -> Void
  init(_ file: URL, _ next: @escaping () -> Void) { (self.file, self.next) = (file, next) }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    do { try body.write(to: file) } catch { print("failed: \(error.localizedDescription)") }
    next()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    next()
  }
}
