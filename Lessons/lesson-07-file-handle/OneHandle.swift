// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// One handle for all pieces. They go to a file of their own, which takes the
/// old file's place when it is whole, and not before.
enum OneHandle {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let writer = Writer(file, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let target: NewFile
    private let done: () -> Void
    init(_ file: URL, _ done: @escaping () -> Void) {
      (target, self.done) = (NewFile(file), done)
    }

    // begin one-handle
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      let http = response as? HTTPURLResponse
      attempt(connection) { try target.open(for: http?.statusCode) }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      attempt(connection) { try target.write(data) }  // ←
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      attempt(connection) {
        try target.finish()
        end("finished")
      }
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) { end("failed: \(error.localizedDescription)") }

    private func attempt(_ load: NSURLConnection, _ step: () throws -> Void) {
      do { try step() } catch {
        load.cancel()
        end("failed: \(error.localizedDescription)")
      }
    }

    private func end(_ outcome: String) {
      target.discard()
      print(outcome)
      done()
    }
    // end one-handle
  }
}
