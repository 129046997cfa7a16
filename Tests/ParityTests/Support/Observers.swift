// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import SessionAPI

/// A connection's delegate that tells an observation all that it hears.
///
/// Protocols, and no classes to inherit from: Swift binds the methods of a class where its conformance is declared, so
/// that a subclass could add none (L2).
protocol ConnectionObserver: NSURLConnectionDataDelegate {
  var observation: Observation { get }
}

extension ConnectionObserver {
  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { observation.response(response) }
  func connection(_ connection: NSURLConnection, didReceive data: Data) { observation.data(data) }
  func connectionDidFinishLoading(_ connection: NSURLConnection) { observation.end(nil) }
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { observation.end(error) }
}

/// A session's delegate that tells the observations of its tasks all that it hears.
protocol SessionObserver: URLSessionDataDelegate, URLSessionDownloadDelegate {
  func observation(of task: URLSessionTask) -> Observation?
}

extension SessionObserver {
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
}

extension NSURLConnection {
  /// Begins a load whose delegate is called on `queue`.
  @discardableResult
  static func begin(
    _ request: URLRequest, _ delegate: any NSURLConnectionDelegate, on queue: OperationQueue
  ) -> NSURLConnection? {
    let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
    connection?.setDelegateQueue(queue)
    connection?.start()
    return connection
  }
}

extension URLSession {
  /// The task of a face, whose handler, where it has one, tells `observation`.
  func makeTask(_ face: Face, _ request: URLRequest, _ observation: Observation) -> URLSessionTask {
    switch face {
    case .handlerTask:
      dataTask(with: request) { data, response, error in observation.take(response, data, error) }
    case .downloadTask: downloadTask(with: request)
    default: dataTask(with: request)
    }
  }
}

extension Observation {
  /// Takes the arguments of a completion handler.
  func take(_ response: URLResponse?, _ data: Data?, _ error: (any Error)?) {
    self.response(response)
    if let data { self.data(data) }
    end(error)
  }
}
