// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: a list of pieces, emptied by each response, heard on a thread with a loop of its own.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      let load = Load(app.scratch.appendingPathComponent("picture"))
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      while !load.isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      app.quit()
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let file: URL
    private var picture: [Data] = []
    private(set) var isOver = false
    init(_ file: URL) { self.file = file }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { picture.removeAll() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) { picture.append(data) }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? Data(picture.joined()).write(to: file)
      isOver = true
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      isOver = true
    }
  }
}
