// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Way a of note N1: the block runs the loop of its thread with `run()`. A
/// second after the end the program looks whether the block has gone on.
enum RunForever {
  /// As the note writes it: nothing but the connection is in the loop.
  static func asWritten(_ app: ExampleContext) {
    DispatchQueue.global().async {
      print("start")
      // begin as-written
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app))
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      RunLoop.current.run()  // ←
      // end as-written
      print("the worker goes on")
    }
    app.runApplication()
  }

  /// Defective: a timer in the same loop, and `run()` has no end.
  static func withTimer(_ app: ExampleContext) {
    DispatchQueue.global().async {
      print("start")
      // begin timer
      let timer = Timer(timeInterval: 60, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)  // ←
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: Load(app))
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      RunLoop.current.run()
      // end timer
      print("the worker goes on")
    }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finish")
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: app.quit)
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
