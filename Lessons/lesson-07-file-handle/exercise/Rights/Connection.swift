// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: a connection's delegate with one handle, cut to nothing at each response.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    do {
      try Data().write(to: file)
      let load = Load(app, try FileHandle(forUpdating: file))
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      app.runApplication()
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    private let handle: FileHandle
    init(_ app: ExerciseContext, _ handle: FileHandle) { (self.app, self.handle) = (app, handle) }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      try? handle.truncate(atOffset: 0)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      do { try handle.write(contentsOf: data) } catch { print("failed: \(error.localizedDescription)") }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? handle.close()
      app.quit()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      try? handle.close()
      app.quit()
    }
  }
}
