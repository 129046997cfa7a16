// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI

/// A user of one API who answers redirects.
final class RedirectClient: Sendable {
  /// The answer of a delegate.
  enum Answer: Sendable {
    case follow
    case other(URLRequest)
    case refuse
    case cancel
    /// Of a connection: after so many seconds. Of a session: never.
    case hold(seconds: Double)
    /// Of a session: this and then that; a connection has no way to say two things.
    case twice
  }

  /// The ways in which the two APIs ask about a redirect.
  static let faces = Face.allCases.filter { $0 != .asynchronous }

  /// The requests that a delegate was asked about.
  let asked = Locked<[URLRequest]>([])
  fileprivate let answer: @Sendable (Int) -> Answer
  private let face: Face
  private let queue = OperationQueue()
  private let session: URLSession

  /// `answer` is given the number of the question, from 1.
  init(
    _ face: Face, configuration: URLSessionConfiguration = .ephemeral,
    answer: @escaping @Sendable (Int) -> Answer
  ) {
    (self.face, self.answer) = (face, answer)
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: SessionAsked(), delegateQueue: queue)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Starts a load.
  func start(_ request: URLRequest) -> Observation {
    let observation = Observation()
    if face == .connection {
      NSURLConnection.begin(request, ConnectionAsked(self, observation), on: queue)
    } else {
      (session.delegate as? SessionAsked)?.current.withLock { $0 = (self, observation) }
      session.makeTask(face, request, observation).resume()
    }
    return observation
  }

  fileprivate func ask(_ request: URLRequest) -> Answer {
    answer(
      asked.withLock { asked in
        asked.append(request)
        return asked.count
      })
  }
}

private final class ConnectionAsked: NSObject, ConnectionObserver, Sendable {
  private let client: RedirectClient
  let observation: Observation

  init(_ client: RedirectClient, _ observation: Observation) {
    (self.client, self.observation) = (client, observation)
  }

  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest? {
    guard response != nil else { return request }
    switch client.ask(request) {
    case .follow, .twice: return request
    case .other(let other): return other
    case .refuse: return nil
    case .cancel: connection.cancel()
    // That it waits for longer than the time-out is what is tested.
    case .hold(let seconds): Thread.sleep(forTimeInterval: seconds)
    }
    return request
  }
}

private final class SessionAsked: NSObject, SessionObserver {
  let current = Locked<(client: RedirectClient, observation: Observation)?>(nil)

  func observation(of task: URLSessionTask) -> Observation? { current.withLock { $0?.observation } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    switch current.withLock({ $0?.client })?.ask(request) {
    case .follow, nil: completionHandler(request)
    case .other(let other): completionHandler(other)
    case .refuse: completionHandler(nil)
    case .cancel: task.cancel()
    case .hold: break
    case .twice:
      completionHandler(request)
      completionHandler(nil)
    }
  }
}
