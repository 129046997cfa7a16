// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SessionAPI

/// A data delegate that throws the bytes away, at once or after a pause per callback.
///
/// Unchecked because its state is only touched on the session's serial queue, and by the waiting thread afterwards.
final class Discarding: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let pause: TimeInterval
  private let ended = DispatchSemaphore(value: 0)
  private var bytes: Int64 = 0
  private var error: (any Error)?

  init(pausing pause: TimeInterval) { self.pause = pause }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    bytes += Int64(data.count)
    if pause > 0 { Thread.sleep(forTimeInterval: pause) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    self.error = error
    ended.signal()
  }

  func wait() throws -> Outcome {
    ended.wait()
    if let error { throw error }
    return Outcome(transfers: 1, bytes: bytes)
  }
}

func discard(_ url: URL, pausing pause: TimeInterval = 0) throws -> Outcome {
  let delegate = Discarding(pausing: pause)
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  defer { session.finishTasksAndInvalidate() }
  session.dataTask(with: url).resume()
  return try delegate.wait()
}

/// A download delegate that moves the finished file to its place.
///
/// Unchecked for the same reason.
final class Downloading: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let place: URL
  private let ended = DispatchSemaphore(value: 0)
  private var bytes: Int64 = 0
  private var error: (any Error)?

  init(to place: URL) { self.place = place }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    bytes = downloadTask.countOfBytesReceived
    do {
      try FileManager.default.moveItem(at: location, to: place)
    } catch {
      self.error = error
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    self.error = error ?? self.error
    ended.signal()
  }

  func wait() throws -> Outcome {
    ended.wait()
    if let error { throw error }
    return Outcome(transfers: 1, bytes: bytes)
  }
}

func download(_ url: URL, to place: URL) throws -> Outcome {
  let delegate = Downloading(to: place)
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  defer { session.finishTasksAndInvalidate() }
  session.downloadTask(with: url).resume()
  return try delegate.wait()
}

/// Unchecked for the same reason.
final class Uploading: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private var outcome = Outcome(transfers: 1, bytes: 0)
  private var error: (any Error)?
  private let file: URL?

  init(_ file: URL?) { self.file = file }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    completionHandler(file.flatMap { InputStream(url: $0) })
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    outcome.bytes = task.countOfBytesSent
    self.error = error
    ended.signal()
  }

  func wait() throws -> Outcome {
    ended.wait()
    if let error { throw error }
    return outcome
  }
}

/// As a stream in chunks, for its length is not said.
func upload(_ url: URL, from file: URL, asStream: Bool = false) throws -> Outcome {
  let delegate = Uploading(asStream ? file : nil)
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  defer { session.finishTasksAndInvalidate() }
  var request = URLRequest(url: url)
  request.httpMethod = "PUT"
  if asStream {
    session.uploadTask(withStreamedRequest: request).resume()
  } else {
    session.uploadTask(with: request, fromFile: file).resume()
  }
  return try delegate.wait()
}
