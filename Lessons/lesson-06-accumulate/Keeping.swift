// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: as note N1 writes it, without its last line. The buffer stays
/// in memory when no code needs it any more.
enum Keeping {
  static func run(_ app: ExampleContext) {
    let collector = Collector(app)
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: collector)
    app.runApplication()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
    print("a moment later \(collector.fileData.count) bytes are held")
  }

  private final class Collector: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let file: URL
    var fileData = Data()

    init(_ app: ExampleContext) {
      self.app = app
      file = app.scratch.appendingPathComponent("download")
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      try? FileManager.default.removeItem(at: file)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      fileData.append(data)
    }

    // begin kept
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      try? fileData.write(to: file, options: .atomic)
      print("written")
      app.quit()  // ←
    }
    // end kept

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      app.quit()
    }
  }
}
