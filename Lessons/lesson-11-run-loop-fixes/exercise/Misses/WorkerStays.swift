// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// The worker goes on in time, but then runs its loop for ever: it has not ended when the program does.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      let load = Load()
      let connection = NSURLConnection(
        request: URLRequest(url: app.url), delegate: load, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.start()
      load.over.wait()
      print("the worker goes on")
      try? load.body.write(to: app.scratch.appendingPathComponent("download"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
      RunLoop.current.run()
    }
    app.runApplication()
  }
}

/// Sendable: the body is looked at when the load is over.
private final class Load: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  let over = DispatchSemaphore(value: 0)
  private(set) var body = Data()

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) { over.signal() }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    over.signal()
  }
}
