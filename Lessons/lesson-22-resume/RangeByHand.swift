// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A download that is cancelled after 0.4 s. As N4 proposes, a second
/// connection asks for the rest with a Range header.
///
/// Defective: whatever the server answers is written behind the first half.
enum RangeByHand {
  static func run(_ app: ExampleContext) {
    let path = app.scratch.appendingPathComponent("download").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let handle = FileHandle(forWritingAtPath: path) else { return }
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: Writer(handle, app))
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) {
      connection?.cancel()
      // begin ask
      let offset = handle.seekToEndOfFile()
      var request = URLRequest(url: app.url)
      request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
      _ = NSURLConnection(request: request, delegate: Writer(handle, app))
      // end ask
    }
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Writer: NSObject, NSURLConnectionDataDelegate,
    @unchecked Sendable
  {
    private let handle: FileHandle
    private let app: ExampleContext

    init(_ handle: FileHandle, _ app: ExampleContext) {
      (self.handle, self.app) = (handle, app)
    }

    // begin answer
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      handle.write(data)  // ←
    }
    // end answer

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished")
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
