// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI

/// The ways in which the two APIs ask about a redirect.
enum RedirectFace: String, CaseIterable, Sendable {
  case connection = "NSURLConnection"
  case dataTask = "data task"
  case handlerTask = "data task with handler"
  case downloadTask = "download task"
}

/// A user of one API who answers redirects.
final class RedirectClient: Sendable {
  /// What a delegate answers.
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

  /// The requests that a delegate was asked about.
  let asked = Locked<[URLRequest]>([])
  fileprivate let answer: @Sendable (Int) -> Answer
  private let face: RedirectFace
  private let queue = OperationQueue()
  private let session: URLSession

  /// `answer` is given the number of the question, from 1.
  init(
    _ face: RedirectFace, configuration: URLSessionConfiguration = .ephemeral,
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
      let connection = NSURLConnection(
        request: request, delegate: ConnectionAsked(self, observation), startImmediately: false)
      connection?.setDelegateQueue(queue)
      connection?.start()
    } else {
      (session.delegate as? SessionAsked)?.current.withLock { $0 = (self, observation) }
      makeTask(request, observation).resume()
    }
    return observation
  }

  private func makeTask(_ request: URLRequest, _ observation: Observation) -> URLSessionTask {
    switch face {
    case .downloadTask: session.downloadTask(with: request)
    case .handlerTask:
      session.dataTask(with: request) { data, response, error in
        observation.response(response)
        if let data { observation.data(data) }
        observation.end(error)
      }
    default: session.dataTask(with: request)
    }
  }

  fileprivate func ask(_ request: URLRequest) -> Answer {
    answer(
      asked.withLock { asked in
        asked.append(request)
        return asked.count
      })
  }
}

private final class ConnectionAsked: NSObject, NSURLConnectionDataDelegate, Sendable {
  private let client: RedirectClient
  private let observation: Observation

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

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { observation.response(response) }
  func connection(_ connection: NSURLConnection, didReceive data: Data) { observation.data(data) }
  func connectionDidFinishLoading(_ connection: NSURLConnection) { observation.end(nil) }
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { observation.end(error) }
}

private final class SessionAsked: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  let current = Locked<(client: RedirectClient, observation: Observation)?>(nil)

  private var observation: Observation? { current.withLock { $0?.observation } }

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

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    observation?.response(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    observation?.data(data)
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    observation?.response(downloadTask.response)
    observation?.data((try? Data(contentsOf: location)) ?? Data())
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    observation?.end(error)
  }
}
