// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// An output stream takes the pieces: opened before the first, closed at the
/// end. Its file takes the old one's place when it is whole.
enum StreamToFile {
  static func run(_ app: ExampleContext) {
    download(app) { OutputStream(toFileAtPath: $0.path, append: true) }
  }

  static func shortWrites(_ app: ExampleContext) {
    download(app) { NarrowStream(toFileAtPath: $0.path, append: true) }
  }

  private static func download(
    _ app: ExampleContext, _ make: @escaping (URL) -> OutputStream?
  ) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let writer = Writer(StreamedFile(file, make), app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let target: StreamedFile
    private let done: () -> Void
    init(_ target: StreamedFile, _ done: @escaping () -> Void) {
      (self.target, self.done) = (target, done)
    }
    func connection(_ load: NSURLConnection, didReceive answer: URLResponse) {
      let http = answer as? HTTPURLResponse
      attempt(load) { try target.open(for: http?.statusCode) }
    }
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      attempt(connection) { try target.write(data) }
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      attempt(connection) {
        try target.finish()
        end("finished")
      }
    }
    func connection(_ load: NSURLConnection, didFailWithError: any Error) {
      end("failed: \(didFailWithError.localizedDescription)")
    }
    private func attempt(_ load: NSURLConnection, _ step: () throws -> Void) {
      do { try step() } catch {
        load.cancel()
        connection(load, didFailWithError: error)
      }
    }
    private func end(_ outcome: String) {
      target.discard()
      print(outcome)
      done()
    }
  }
}
