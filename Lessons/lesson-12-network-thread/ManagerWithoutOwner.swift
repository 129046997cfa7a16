// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The note declares the buffer `assign`: nobody owns it. Swift says `weak`
/// for that, and at least makes it nil instead of a pointer to nothing.
enum ManagerWithoutOwner {
  /// Defective: the buffer is gone before the first piece comes.
  static func run(_ app: ExampleContext) {
    let manager = Manager(app)
    let connection = NSURLConnection(
      request: URLRequest(url: app.url), delegate: manager)
    app.runApplication()
    _ = connection
  }

  private final class Manager: NSObject, NSURLConnectionDataDelegate {
    private weak var receiveData: NSMutableData?
    private let app: ExampleContext

    init(_ app: ExampleContext) {
      self.app = app
      receiveData = Self.makeBuffer()
    }

    private static func makeBuffer() -> NSMutableData { NSMutableData() }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receiveData?.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("the buffer is \(receiveData == nil ? "gone" : "there")")
      app.quit()
    }
  }
}
