// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI
import TestSupport
import Testing

/// The ways in which the two APIs load something.
enum Face: String, CaseIterable, Sendable, Codable {
  case connection = "NSURLConnection"
  case asynchronous = "sendAsynchronousRequest"
  case dataTask = "data task"
  case handlerTask = "data task with handler"
  case downloadTask = "download task"

  /// NSURLConnection has no time-out for a whole load.
  var hasResourceTimeout: Bool { isSession }

  /// True if it is URLSession, with a configuration of its own.
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
    base: URLSessionConfiguration = .ephemeral, configure: (URLSessionConfiguration) -> Void = { _ in }
  ) {
    self.face = face
    queue.maxConcurrentOperationCount = 1
    let configuration = base
    configuration.timeoutIntervalForRequest = idleTimeout / .seconds(1)
    if let resourceTimeout { configuration.timeoutIntervalForResource = resourceTimeout / .seconds(1) }
    configure(configuration)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// Starts a load.
  func start(_ request: URLRequest) -> Observation {
    begin(request).observation
  }

  /// Loads, and waits for the end, without which the test has failed.
  func load(_ request: URLRequest, _ place: SourceLocation = #_sourceLocation) async -> Observation.Facts {
    let observation = start(request)
    #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)), sourceLocation: place)
    return observation.facts
  }

  /// Loads with a user of its own.
  static func load(
    _ request: URLRequest, on face: Face, _ place: SourceLocation = #_sourceLocation
  ) async -> Observation.Facts {
    let client = Client(face)
    let facts = await client.load(request, place)
    await client.close()
    return facts
  }

  /// Starts a load that can be cancelled; `sendAsynchronousRequest` knows no way to do that.
  func begin(_ request: URLRequest) -> (observation: Observation, cancel: @Sendable () -> Void) {
    let observation = Observation()
    var request = request
    // A connection's idle time is the request's; what a session has for one with the usual time is its configuration's.
    if !face.isSession, request.timeoutInterval == 60 { request.timeoutInterval = TestMachine.patience }
    switch face {
    case .connection:
      let connection = NSURLConnection.begin(request, ConnectionDelegate(observation), on: queue)
      return (observation, { connection?.cancel() })
    case .asynchronous:
      NSURLConnection.sendAsynchronousRequest(request, queue: queue) { response, data, error in
        observation.take(response, data, error)
      }
      return (observation, {})
    case .dataTask, .handlerTask, .downloadTask:
      let task = session.makeTask(face, request, observation)
      delegate.observations.withLock { $0[task.taskIdentifier] = observation }
      task.resume()
      return (observation, { task.cancel() })
    }
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

private final class ConnectionDelegate: NSObject, ConnectionObserver, Sendable {
  let observation: Observation

  init(_ observation: Observation) { self.observation = observation }
}

private final class SessionDelegate: NSObject, SessionObserver {
  struct Invalid {
    var isInvalid = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// By the identifiers of their tasks.
  let observations = Locked<[Int: Observation]>([:])
  let invalid = Locked(Invalid())

  func observation(of task: URLSessionTask) -> Observation? {
    observations.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    let waiter = invalid.withLock { invalid in
      invalid.isInvalid = true
      return invalid.waiter.take()
    }
    waiter?.resume()
  }
}
