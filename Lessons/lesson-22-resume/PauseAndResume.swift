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
  /// With the note's guard a second pause does nothing.
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

  enum Button { case pause, resume, close }
  private static func press(
    _ app: ExampleContext, _ downloader: some Buttons, _ buttons: [[Button]]
  ) {
    downloader.start()
    for (number, pressed) in buttons.enumerated() {
      let instant = 0.4 + 0.5 * Double(number)
      DispatchQueue.main.asyncAfter(deadline: .now() + instant) {
        for button in pressed {
          switch button {
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
