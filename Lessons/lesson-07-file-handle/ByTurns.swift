// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Ten downloads, one after the other: by turns the file is opened for each
/// piece, and once for all.
enum ByTurns {
  static func run(_ app: ExampleContext) {
    load(1, app)
    app.runApplication()
  }

  // begin by-turns
  private static func load(_ number: Int, _ app: ExampleContext) {
    guard number <= 10 else { return app.quit() }
    let file = app.scratch.appendingPathComponent("download-\(number)")
    let next = { load(number + 1, app) }
    let writer: any NSURLConnectionDataDelegate =
      number.isMultiple(of: 2)
      ? OneHandle.Writer(file, next) : FilePerPiece.Writer(file, next)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
  }
  // end by-turns
}
