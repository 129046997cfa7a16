// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A person at the buttons of Downloader.swift or NoteDownloader.swift.
enum PauseAndResume {
  static func once(_ app: ExampleContext) {
    press(app, Downloader(app), [[.pause], [.resume]])
  }
  static func resumedTwice(_ app: ExampleContext) {
    press(app, Downloader(app), [[.pause], [.resume], [.resume]])
  }
  /// Defective: without the guard a second pause replaces the data by none.
  static func pausedTwice(_ app: ExampleContext) {
    let downloader = UnguardedDownloader(app)
    press(app, downloader, [[.pause], [.pause], [.resume], [.close]])
  }
  /// The note's guard.
  static func pausedTwiceGuarded(_ app: ExampleContext) {
    press(app, NoteDownloader(app), [[.pause], [.pause], [.resume]])
  }

  /// Defective: resume at once after the pause finds no data yet.
  static func atOnce(_ app: ExampleContext) {
    press(app, NoteDownloader(app), [[.pause, .resume], [.close]])
  }
  /// The cure: the press is remembered until the data is there.
  static func atOnceMended(_ app: ExampleContext) {
    press(app, Downloader(app), [[.pause, .resume]])
  }

  /// Defective: a second start forgets the first task; no pause stops it.
  static func startedTwice(_ app: ExampleContext) {
    press(app, NoteDownloader(app), [[.start], [.pause]])
  }
  static func startedTwiceGuarded(_ app: ExampleContext) {
    press(app, Downloader(app), [[.start], [.pause], [.close]])
  }

  enum Button { case start, pause, resume, close }
  private static func press(
    _ app: ExampleContext, _ downloader: some Buttons, _ buttons: [[Button]]
  ) {
    downloader.start()
    for (number, pressed) in buttons.enumerated() {
      let instant = 0.4 + 0.5 * Double(number)
      DispatchQueue.main.asyncAfter(deadline: .now() + instant) {
        for button in pressed {
          switch button {
          case .start: downloader.start()
          case .pause: downloader.pause()
          case .resume: downloader.resume()
          case .close: app.quit()
          }
        }
      }
    }
    app.runApplication()
  }
}
