// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Three ways to leave a session that alone holds its delegate. The delegate
/// is in Listener.swift.
enum SessionEnds {
  /// Defective: the session is forgotten. It keeps its delegate for ever.
  static func never(_ app: ExampleContext) {
    // begin never
    let session = URLSession(
      configuration: .default, delegate: Listener(app), delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    app.runApplication()
    // end never
  }

  /// The cure: what runs may end, then the session releases its delegate.
  static func finishing(_ app: ExampleContext) {
    // begin finishing
    let session = URLSession(
      configuration: .default, delegate: Listener(app), delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    session.finishTasksAndInvalidate()  // ←
    app.runApplication()
    // end finishing
  }

  /// The screen goes in mid-download, and with it the session.
  static func cancelling(_ app: ExampleContext) {
    let session = URLSession(
      configuration: .default, delegate: Listener(app), delegateQueue: nil)
    session.downloadTask(with: app.url).resume()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) {
      session.invalidateAndCancel()
    }
    app.runApplication()
  }
}
