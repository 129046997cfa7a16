// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The pieces are joined in memory, and the whole is written at the end.
enum Collecting {
  static func releasing(_ app: ExampleContext) {
    download(app, releases: true)
  }

  /// Defective: the buffer stays where it is when nobody needs it any more.
  static func keeping(_ app: ExampleContext) {
    download(app, releases: false)
  }

  private static func download(_ app: ExampleContext, releases: Bool) {
    let collector = Collector(app, releases)
    _ = NSURLConnection(
      request: URLRequest(url: app.url), delegate: collector)
    app.runApplication()
    withExtendedLifetime(collector) {
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
      print("a moment later \(collector.count) bytes are held")
    }
  }

  private final class Collector: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let releases: Bool
    private var fileData: Data? = Data()

    init(_ app: ExampleContext, _ releases: Bool) {
      (self.app, self.releases) = (app, releases)
    }

    var count: Int { fileData?.count ?? 0 }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      fileData?.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      let file = app.scratch.appendingPathComponent("download")
      try? fileData?.write(to: file, options: .atomic)
      if releases { fileData = nil }
      print("written")
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
