// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The manager mended: the file is made first and written piece by piece;
/// progress and end are sent to main.
enum ManagerMended {
  static func run(_ app: ExampleContext) {
    NetworkThread(hasPort: true).perform {
      print("connection created")
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Manager(app),
        startImmediately: false)
      connection?.schedule(in: .current, forMode: .common)
      connection?.start()
    }
    app.runApplication()
  }

  private final class Manager: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var received = 0
    private var handle: FileHandle?
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      let path = app.scratch.appendingPathComponent("download").path
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      handle = FileHandle(forWritingAtPath: path)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      handle?.write(data)
      received += data.count
      let sum = received
      DispatchQueue.main.async { print("bar: \(sum) bytes") }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      end("the file is there")
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      end(error.localizedDescription)
    }

    private func end(_ outcome: String) {
      handle?.closeFile()
      DispatchQueue.main.async { [app] in
        print("completion: \(outcome)")
        app.quit()
      }
    }
  }
}
