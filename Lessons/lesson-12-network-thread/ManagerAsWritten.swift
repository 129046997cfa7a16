// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The manager of note N4, first version, with the two defects it has.
enum ManagerAsWritten {
  /// Defective: the buffer is cleared before the completion runs, which reads
  /// it then and gets nil.
  static func run(_ app: ExampleContext) {
    Manager(app.url).start { body in
      print("completion: \(body.map { "\($0.length) bytes" } ?? "nil")")
      app.quit()
    }
    app.runApplication()
  }

  /// Sendable: everything happens on the network thread and then on main.
  private final class Manager: NSObject, NSURLConnectionDataDelegate,
    @unchecked Sendable
  {
    private let url: URL
    private let thread = NetworkThread(hasPort: true)
    private var receiveData: NSMutableData? = NSMutableData()
    private var completion: (@Sendable (NSMutableData?) -> Void)?

    init(_ url: URL) { self.url = url }

    func start(_ completion: @escaping @Sendable (NSMutableData?) -> Void) {
      self.completion = completion
      thread.perform { [self] in
        let connection = NSURLConnection(
          request: URLRequest(url: url), delegate: self,
          startImmediately: false)
        connection?.schedule(in: .current, forMode: .common)
        connection?.start()
      }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receiveData?.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      receiveData = nil
      DispatchQueue.main.async { self.completion?(self.receiveData) }
    }
  }
}
