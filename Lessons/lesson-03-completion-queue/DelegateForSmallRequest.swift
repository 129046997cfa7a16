// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The job of the queue-asynchronous call, done with a delegate: more to
/// write, and nothing gained for a small answer.
enum DelegateForSmallRequest {
  static func run(_ app: ExampleContext) {
    print("start")
    let load = Load(quit: app.quit)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    print("the caller goes on")
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let label = ScreenLabel()
    private var status = 0
    private var body = Data()
    private let quit: () -> Void

    init(quit: @escaping () -> Void) {
      self.quit = quit
    }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      body.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      label.show(status == 200 ? "\(body.count) bytes" : "status \(status)")
      quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      label.show(error.localizedDescription)
      quit()
    }
  }
}
