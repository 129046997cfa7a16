// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: the note's buffer as `weak`, which becomes nil in place of a
/// pointer to freed memory. It is gone before the first piece comes.
enum WeakBuffer {
  static func run(_ app: ExampleContext) {
    let manager = Manager(app)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: manager)
    app.runApplication()
  }

  private final class Manager: NSObject, NSURLConnectionDataDelegate {
    // begin weak
    private weak var receiveData: NSMutableData?  // ←
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      receiveData = .data()
      self.app = app
    }
    // end weak

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receiveData?.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("the buffer is \(receiveData == nil ? "gone" : "there")")
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) { app.quit() }
  }
}

extension NSMutableData {
  /// What the note calls: a buffer that only its caller owns.
  static func data() -> NSMutableData { NSMutableData() }
}
