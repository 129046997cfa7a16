// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI
import TestSupport

/// A user of one API who has many loads on the way at once: `NSURLConnection` with a delegate for each, or tasks with
/// handlers.
final class Crowd: Sendable {
  private let face: Face
  private let queue = OperationQueue()
  private let session: URLSession

  init(_ face: Face, connections: Int, idleTimeout: Duration = .seconds(TestMachine.patience)) {
    self.face = face
    queue.maxConcurrentOperationCount = 1
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = idleTimeout / .seconds(1)
    session = URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
  }

  func start(_ request: URLRequest) -> Observation {
    let observation = Observation()
    switch face {
    case .connection:
      let delegate = ConnectionDelegate(observation)
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.setDelegateQueue(queue)
      connection?.start()
    case .asynchronous:
      NSURLConnection.sendAsynchronousRequest(request, queue: queue) { response, data, error in
        observation.take(response, data, error)
      }
    case .dataTask, .handlerTask, .downloadTask:
      session.dataTask(with: request) { data, response, error in observation.take(response, data, error) }.resume()
    }
    return observation
  }

  func close() async {
    session.finishTasksAndInvalidate()
  }
}
