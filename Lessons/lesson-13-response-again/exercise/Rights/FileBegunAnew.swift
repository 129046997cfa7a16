// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: the pieces go to the file at once, and each response empties it; heard on an operation queue.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let connection = NSURLConnection(request: URLRequest(url: app.url), delegate: Load(app), startImmediately: false)
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private var handle: FileHandle?

    init(_ app: ExerciseContext) {
      self.app = app
      let file = app.scratch.appendingPathComponent("picture")
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      handle = try? FileHandle(forWritingTo: file)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      try? handle?.truncate(atOffset: 0)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { try? handle?.write(contentsOf: data) }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? handle?.close()
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
