// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI
import TestSupport

/// The ways in which the two APIs load something.
enum Face: String, CaseIterable, Sendable, Codable {
  case connection = "NSURLConnection"
  case asynchronous = "sendAsynchronousRequest"
  case dataTask = "data task"
  case handlerTask = "data task with handler"
  case downloadTask = "download task"

  /// NSURLConnection has no time-out for a whole load.
  var hasResourceTimeout: Bool { isSession }

  /// Whether it is URLSession, with a configuration of its own.
  var isSession: Bool { self != .connection && self != .asynchronous }
}

/// One user of one API, whose loads share what its API lets them share.
final class Client: Sendable {
  private let face: Face
  private let queue = OperationQueue()
  private let session: URLSession
  private let delegate = SessionDelegate()

  init(
    _ face: Face, idleTimeout: Duration = .seconds(TestMachine.patience), resourceTimeout: Duration? = nil,
    configure: (URLSessionConfiguration) -> Void = { _ in }
  ) {
    self.face = face
    queue.maxConcurrentOperationCount = 1
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = idleTimeout / .seconds(1)
    if let resourceTimeout { configuration.timeoutIntervalForResource = resourceTimeout / .seconds(1) }
    configure(configuration)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// Starts a load.
  func start(_ request: URLRequest) -> Observation {
    begin(request).observation
  }

  /// Starts a load that can be cancelled; `sendAsynchronousRequest` knows no way to do that.
  func begin(_ request: URLRequest) -> (observation: Observation, cancel: @Sendable () -> Void) {
    let observation = Observation()
    switch face {
    case .connection:
      let delegate = ConnectionDelegate(observation)
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.setDelegateQueue(queue)
      connection?.start()
      return (observation, { connection?.cancel() })
    case .asynchronous:
      NSURLConnection.sendAsynchronousRequest(request, queue: queue) { response, data, error in
        observation.take(response, data, error)
      }
    case .handlerTask:
      let task = session.dataTask(with: request) { data, response, error in observation.take(response, data, error) }
      task.resume()
      return (observation, { task.cancel() })
    case .dataTask, .downloadTask:
      let task = face == .dataTask ? session.dataTask(with: request) : session.downloadTask(with: request)
      delegate.observations.withLock { $0[task.taskIdentifier] = observation }
      task.resume()
      return (observation, { task.cancel() })
    }
    return (observation, {})
  }

  /// Ends the session, and with it its connections, after all that was still to be told.
  func close() async {
    session.finishTasksAndInvalidate()
    await withCheckedContinuation { continuation in
      delegate.invalid.withLock { invalid in
        if invalid.isInvalid { continuation.resume() } else { invalid.waiter = continuation }
      }
    }
  }
}

extension Observation {
  /// What a completion handler was given.
  func take(_ response: URLResponse?, _ data: Data?, _ error: (any Error)?) {
    self.response(response)
    if let data { self.data(data) }
    end(error)
  }
}

final class ConnectionDelegate: NSObject, NSURLConnectionDataDelegate, Sendable {
  private let observation: Observation

  init(_ observation: Observation) { self.observation = observation }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { observation.response(response) }
  func connection(_ connection: NSURLConnection, didReceive data: Data) { observation.data(data) }
  func connectionDidFinishLoading(_ connection: NSURLConnection) { observation.end(nil) }
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { observation.end(error) }
}

private final class SessionDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  struct Invalid {
    var isInvalid = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// By the identifiers of their tasks.
  let observations = Locked<[Int: Observation]>([:])
  let invalid = Locked(Invalid())

  private func observation(of task: URLSessionTask) -> Observation? {
    observations.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    observation(of: dataTask)?.response(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    observation(of: dataTask)?.data(data)
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    observation(of: downloadTask)?.response(downloadTask.response)
    observation(of: downloadTask)?.data((try? Data(contentsOf: location)) ?? Data())
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    observation(of: task)?.end(error)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    let waiter = invalid.withLock { invalid in
      invalid.isInvalid = true
      return invalid.waiter.take()
    }
    waiter?.resume()
  }
}
