// SPDX-License-Identifier: Apache-2.0
import SessionAPI
import Timeline

/// Stands between a session of the toolchain and the program's delegate: it tells the timeline of each call and forwards
/// it. A recorder has the protocols that the delegate has, since the toolchain's session asks for those.
class SessionRecorder: NSObject, URLSessionDelegate, @unchecked Sendable {
  /// The program's delegate.
  let wrapped: any URLSessionDelegate
  fileprivate let taskDelegate: (any URLSessionTaskDelegate)?
  fileprivate let dataDelegate: (any URLSessionDataDelegate)?
  fileprivate let downloadDelegate: (any URLSessionDownloadDelegate)?

  fileprivate init(_ delegate: any URLSessionDelegate) {
    wrapped = delegate
    taskDelegate = delegate as? any URLSessionTaskDelegate
    dataDelegate = delegate as? any URLSessionDataDelegate
    downloadDelegate = delegate as? any URLSessionDownloadDelegate
  }

  /// The recorder for a delegate. One of streams or WebSockets stays alone, and its callbacks are not observed.
  static func around(_ delegate: any URLSessionDelegate) -> any URLSessionDelegate {
    switch delegate {
    case is any URLSessionStreamDelegate, is any URLSessionWebSocketDelegate: delegate
    case is any URLSessionDataDelegate & URLSessionDownloadDelegate: AllRecorder(delegate)
    case is any URLSessionDataDelegate: DataRecorder(delegate)
    case is any URLSessionDownloadDelegate: DownloadRecorder(delegate)
    case is any URLSessionTaskDelegate: TaskRecorder(delegate)
    default: SessionRecorder(delegate)
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    wrapped.urlSession(session, didBecomeInvalidWithError: error)
  }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler handler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    wrapped.urlSession(session, didReceive: challenge, completionHandler: handler)
  }
}

/// The recorder of a task delegate.
private class TaskRecorder: SessionRecorder, URLSessionTaskDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler handler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    ObservedLoads.calls(
      task, "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
      with: ObservedLoads.response(response))
    taskDelegate?.urlSession(
      session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: handler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler handler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    ObservedLoads.calls(task, "urlSession(_:task:didReceive:completionHandler:)")
    taskDelegate?.urlSession(session, task: task, didReceive: challenge, completionHandler: handler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream handler: @escaping @Sendable (InputStream?) -> Void
  ) {
    ObservedLoads.calls(task, "urlSession(_:task:needNewBodyStream:)")
    taskDelegate?.urlSession(session, task: task, needNewBodyStream: handler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData sent: Int64, totalBytesSent total: Int64,
    totalBytesExpectedToSend expected: Int64
  ) {
    ObservedLoads.calls(
      task, "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)",
      with: .progress(piece: sent, total: total, expected: expected))
    taskDelegate?.urlSession(
      session, task: task, didSendBodyData: sent, totalBytesSent: total, totalBytesExpectedToSend: expected)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    ObservedLoads.calls(task, "urlSession(_:task:didFinishCollecting:)")
    taskDelegate?.urlSession(session, task: task, didFinishCollecting: metrics)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ObservedLoads.calls(task, "urlSession(_:task:didCompleteWithError:)", with: ObservedLoads.end(error))
    taskDelegate?.urlSession(session, task: task, didCompleteWithError: error)
  }
}

/// The recorder of a data delegate.
private class DataRecorder: TaskRecorder, URLSessionDataDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    ObservedLoads.calls(
      task, "urlSession(_:dataTask:didReceive:completionHandler:)", "response", with: ObservedLoads.response(response))
    dataDelegate?.urlSession(session, dataTask: task, didReceive: response, completionHandler: handler)
  }

  func urlSession(
    _ session: URLSession, dataTask task: URLSessionDataTask, didBecome download: URLSessionDownloadTask
  ) {
    ObservedLoads.calls(task, "urlSession(_:dataTask:didBecome:)", "download")
    ObservedLoads.hand(over: task, to: download)
    dataDelegate?.urlSession(session, dataTask: task, didBecome: download)
  }

  func urlSession(_ session: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    data.withUnsafeBytes { bytes in
      ObservedLoads.calls(task, "urlSession(_:dataTask:didReceive:)", "data", with: .bytes(bytes))
    }
    dataDelegate?.urlSession(session, dataTask: task, didReceive: data)
  }

  func urlSession(
    _ session: URLSession, dataTask task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
    completionHandler handler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    ObservedLoads.calls(task, "urlSession(_:dataTask:willCacheResponse:completionHandler:)")
    dataDelegate?.urlSession(session, dataTask: task, willCacheResponse: response, completionHandler: handler)
  }
}

/// What the recorders of download delegates share, whichever class they extend. A witness of this protocol wins over
/// FoundationNetworking's default, which belongs to a less refined one.
private protocol DownloadRecording: SessionRecorder, URLSessionDownloadDelegate {}

extension DownloadRecording {
  func urlSession(
    _ session: URLSession, downloadTask task: URLSessionDownloadTask, didWriteData written: Int64,
    totalBytesWritten total: Int64, totalBytesExpectedToWrite expected: Int64
  ) {
    ObservedLoads.calls(
      task, "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)",
      with: .progress(piece: written, total: total, expected: expected))
    downloadDelegate?.urlSession(
      session, downloadTask: task, didWriteData: written, totalBytesWritten: total, totalBytesExpectedToWrite: expected)
  }

  func urlSession(
    _ session: URLSession, downloadTask task: URLSessionDownloadTask, didResumeAtOffset offset: Int64,
    expectedTotalBytes expected: Int64
  ) {
    ObservedLoads.calls(
      task, "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)",
      with: .progress(piece: 0, total: offset, expected: expected))
    downloadDelegate?.urlSession(session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
  }

  func urlSession(
    _ session: URLSession, downloadTask task: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    ObservedLoads.calls(task, "urlSession(_:downloadTask:didFinishDownloadingTo:)", with: .file(path: location.path))
    downloadDelegate?.urlSession(session, downloadTask: task, didFinishDownloadingTo: location)
  }
}

/// The recorder of a download delegate.
private final class DownloadRecorder: TaskRecorder, DownloadRecording, @unchecked Sendable {}

/// The recorder of a delegate for both.
private final class AllRecorder: DataRecorder, DownloadRecording, @unchecked Sendable {}
