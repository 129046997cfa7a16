// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: the note's manager with one word changed. The buffer has an
/// owner now; it is still cleared before the completion reads it.
enum OwnedBuffer {
  static func run(_ app: ExampleContext) {
    let manager = Manager(request: URLRequest(url: app.url))
    manager.start { data in
      print("completion: \(data == nil ? "nil" : "the data")")
      app.quit()
    }
    app.runApplication()
  }

  /// Sendable as far as the note goes.
  private final class Manager: NSObject, NSURLConnectionDataDelegate,
    @unchecked Sendable
  {
    private let request: URLRequest
    private var completion: (@Sendable (NSMutableData?) -> Void)?
    private var receiveData: NSMutableData? = NSMutableData()
    init(request: URLRequest) { self.request = request }

    private func operationDidStart() {
      let connection = NSURLConnection(
        request: request, delegate: self, startImmediately: false)
      connection?.schedule(in: .current, forMode: .common)
      connection?.start()
    }

    func start(_ block: @escaping @Sendable (NSMutableData?) -> Void) {
      completion = block
      NetworkThread.shared.perform { self.operationDidStart() }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receiveData?.append(data)
    }

    // begin cleared
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      _ = receiveData?.write(toFile: "", atomically: true)
      receiveData = nil  // ←
      DispatchQueue.main.async { [weak weakSelf = self] in
        weakSelf?.completion?(self.receiveData)
      }
    }
    // end cleared

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      _ = (error as NSError).code
    }
  }
}
