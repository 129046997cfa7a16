// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: holds no body at all; each piece goes through a handle, which is closed and let go at the end.
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
  private var handle: FileHandle?
  private var next: (() -> Void)?

  func load(_ url: URL, into file: URL, then next: @escaping () -> Void) {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    (handle, self.next) = (try? FileHandle(forWritingTo: file), next)
    _ = NSURLConnection(request: URLRequest(url: url), delegate: self)
  }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    try? handle?.truncate(atOffset: 0)
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    do { try handle?.write(contentsOf: data) } catch { print("failed: \(error.localizedDescription)") }
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { end() }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    end()
  }

  private func end() {
    let next = self.next
    try? handle?.close()
    (handle, self.next) = (nil, nil)
    next?()
  }
}
