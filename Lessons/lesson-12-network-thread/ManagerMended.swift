// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The manager mended: own thread, port, a new file written piece by piece;
/// progress and end are sent to main, after every end.
enum ManagerMended {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    try? Data("from last time\n".utf8).write(to: file)
    let download = FileDownload(
      to: file, progress: { print("bar: \($0) bytes") },
      completion: { problem in
        print("completion: \(problem ?? "the file is there")")
        app.quit()
      })
    let request = URLRequest(url: app.url)
    // begin created
    NetworkThread.shared.perform {
      print("connection created")
      let connection = NSURLConnection(
        request: request, delegate: download, startImmediately: false)
      connection?.schedule(in: .current, forMode: .common)  // ←
      connection?.start()
    }
    // end created
    app.runApplication()
  }
}
