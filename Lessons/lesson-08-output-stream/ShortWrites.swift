// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The stream takes less than it is offered. `write` says how much it took.
enum ShortWrites {
  /// Defective: what was not taken is lost.
  static func ignored(_ app: ExampleContext) {
    download(app, goesOn: false)
  }

  /// The cure: what was not taken is offered again.
  static func continued(_ app: ExampleContext) {
    download(app, goesOn: true)
  }

  private static func download(_ app: ExampleContext, goesOn: Bool) {
    let file = app.scratch.appendingPathComponent("download")
    guard let stream = NarrowStream(url: file, append: true) else { return }
    stream.open()
    let writer = Writer(stream, goesOn, app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: writer)
    app.runApplication()
  }

  private final class Writer: NSObject, NSURLConnectionDataDelegate {
    private let stream: OutputStream
    private let goesOn: Bool
    private let quit: () -> Void

    init(
      _ stream: OutputStream, _ goesOn: Bool, _ quit: @escaping () -> Void
    ) {
      (self.stream, self.goesOn, self.quit) = (stream, goesOn, quit)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      var rest = [UInt8](data)
      repeat {
        let count = stream.write(rest, maxLength: rest.count)
        guard count > 0 else { return connection.cancel() }
        rest.removeFirst(count)
      } while goesOn && !rest.isEmpty
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      stream.close()
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      quit()
    }
  }
}
