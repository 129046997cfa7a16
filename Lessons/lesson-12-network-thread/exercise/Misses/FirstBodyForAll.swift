// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Loads all fifty, and writes the body that came first to every file.
enum Exercise {
  static let count = 50

  /// The address of the body with this number: that of `app.url`, with `number=` behind it.
  static func address(_ app: ExerciseContext, _ number: Int) -> URL {
    app.url.appending(queryItems: [URLQueryItem(name: "number", value: "\(number)")])
  }

  static func run(_ app: ExerciseContext) {
    let manager = Manager(app)
    for first in 1...4 {
      Thread.detachNewThread {
        for number in stride(from: first, through: count, by: 4) { manager.load(number) }
      }
    }
    app.runApplication()
  }
}

/// One network thread for all loads. It has a timer that never matters, so that its loop has something to wait for.
///
/// Sendable: `init` sets the loop before it returns; the network thread alone counts the loads that are left.
private final class Manager: @unchecked Sendable {
  private let app: ExerciseContext
  private var loop: RunLoop?
  private var left = Exercise.count

  init(_ app: ExerciseContext) {
    self.app = app
    let isReady = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = .current
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      isReady.signal()
      RunLoop.current.run()
    }
    isReady.wait()
  }

  /// Called on any thread.
  func load(_ number: Int) {
    guard let loop else { return }
    let load = Load(app.scratch.appendingPathComponent("part-\(number)"), ended)
    let connection = NSURLConnection(
      request: URLRequest(url: Exercise.address(app, number)), delegate: load, startImmediately: false)
    connection?.schedule(in: loop, forMode: .default)
    connection?.start()
  }

  private func ended() {
    left -= 1
    if left == 0 { app.quit() }
  }
}

/// Collects one body, writes it to a file and says that it is over.
private final class Load: NSObject, NSURLConnectionDataDelegate {
  /// The network thread's.
  private nonisolated(unsafe) static var first: Data?
  private let file: URL
  private let end: () -> Void
  private var body = Data()
  init(_ file: URL, _ end: @escaping () -> Void) { (self.file, self.end) = (file, end) }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { body = Data() }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    let first = Self.first ?? body
    Self.first = first
    try? first.write(to: file)
    end()
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    end()
  }
}
