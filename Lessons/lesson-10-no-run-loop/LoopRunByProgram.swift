// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A run loop runs when the program runs it: a worker's as well as main's.
enum LoopRunByProgram {
  /// The block stays and runs the loop of its thread until the load is over.
  static func onWorker(_ app: ExampleContext) {
    DispatchQueue.global().async {
      print("start")
      let load = Load()
      // begin worker
      _ = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load)
      while !load.isOver {  // ←
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
      // end worker
      app.quit()
    }
    app.runApplication()
  }

  /// Main sleeps for half a second before it runs its loop.
  static func onMain(_ app: ExampleContext) {
    let load = Load()
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    Thread.sleep(forTimeInterval: 0.5)
    print("before the loop runs: \(load.calls) callbacks")
    while !load.isOver {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private(set) var calls = 0
    private(set) var isOver = false

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      calls += 1
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      (calls, isOver) = (calls + 1, true)
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \(error.localizedDescription)")
      (calls, isOver) = (calls + 1, true)
    }
  }
}
