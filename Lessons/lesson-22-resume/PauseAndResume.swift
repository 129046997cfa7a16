// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A person at the three buttons. The downloader is in Downloader.swift.
enum PauseAndResume {
  /// Pause, then resume.
  static func once(_ app: ExampleContext) {
    press(app, Downloader(app), [.pause, .resume])
  }

  /// Pause and resume, and resume once more.
  static func resumedTwice(_ app: ExampleContext) {
    press(app, Downloader(app), [.pause, .resume, .resume])
  }

  /// Defective: without the guard a second pause replaces the data by none.
  static func pausedTwice(_ app: ExampleContext) {
    press(
      app, Downloader(app, forgetsTask: false), [.pause, .pause, .resume])
  }

  /// The cure: with the guard a second pause does nothing.
  static func pausedTwiceGuarded(_ app: ExampleContext) {
    press(app, Downloader(app), [.pause, .pause, .resume])
  }

  /// Resume without a pause before.
  static func withoutData(_ app: ExampleContext) {
    let downloader = Downloader(app)
    downloader.resume()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
  }

  enum Button { case pause, resume }

  private static func press(
    _ app: ExampleContext, _ downloader: Downloader, _ buttons: [Button]
  ) {
    downloader.start()
    for (number, button) in buttons.enumerated() {
      let instant = 0.4 + 0.5 * Double(number)
      DispatchQueue.main.asyncAfter(deadline: .now() + instant) {
        switch button {
        case .pause: downloader.pause()
        case .resume: downloader.resume()
        }
      }
    }
    app.runApplication()
  }
}
