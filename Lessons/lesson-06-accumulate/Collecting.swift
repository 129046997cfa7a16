// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The pieces are joined in memory. The whole is written at the end, and then
/// the buffer is released.
enum Collecting {
  static func run(_ app: ExampleContext) {
    let collector = Collector(app)
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: collector)
    app.runApplication()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
    print("a moment later \(collector.count) bytes are held")
  }

  private final class Collector: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var status = 0
    private var fileData: Data? = Data()
    init(_ app: ExampleContext) { self.app = app }
    var count: Int { fileData?.count ?? 0 }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      fileData = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      fileData?.append(data)
    }

    // begin released
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      let file = app.scratch.appendingPathComponent("download")
      do {
        guard status == 200 else { throw URLError(.badServerResponse) }
        try fileData?.write(to: file, options: .atomic)
        end("written")
      } catch {
        end("failed: \(error.localizedDescription)")
      }
    }

    private func end(_ outcome: String) {
      print(outcome)
      fileData = nil  // ←
      app.quit()
    }
    // end released

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) { end("failed: \(error.localizedDescription)") }
  }
}
