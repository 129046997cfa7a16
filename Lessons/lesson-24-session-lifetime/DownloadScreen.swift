// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A screen as in N3: it holds its session, whose delegate it is.
/// Sendable: it is used on the main thread alone.
class DownloadScreen: NSObject, URLSessionDownloadDelegate,
  @unchecked Sendable
{
  private let app: ExampleContext
  fileprivate lazy var session = URLSession(
    configuration: .default, delegate: self, delegateQueue: .main)

  init(_ app: ExampleContext) { self.app = app }

  deinit { print("screen released") }

  /// The person leaves the screen.
  func disappear() {}

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    print("loaded")
    try? FileManager.default.removeItem(at: location)  // shown, not kept
  }

  /// Opens a screen that only its session holds, and leaves it.
  fileprivate static func visit(_ screen: DownloadScreen) {
    screen.session.downloadTask(with: screen.app.url).resume()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
      screen.disappear()
    }
    DispatchQueue.main.asyncAfter(
      deadline: .now() + 1, execute: screen.app.quit)
  }

  /// Defective: `deinit` never runs.
  static func endedInDeinit(_ app: ExampleContext) {
    visit(ScreenEndedInDeinit(app))
    app.runApplication()
  }

  /// The cure.
  static func endedOnLeaving(_ app: ExampleContext) {
    visit(ScreenEndedOnLeaving(app))
    app.runApplication()
  }
}

private final class ScreenEndedInDeinit: DownloadScreen, @unchecked Sendable {
  // begin deinit
  deinit { session.invalidateAndCancel() }
  // end deinit
}

private final class ScreenEndedOnLeaving: DownloadScreen,
  @unchecked Sendable
{
  // begin leaving
  override func disappear() { session.invalidateAndCancel() }
  // end leaving
}
