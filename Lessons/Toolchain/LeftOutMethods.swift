// SPDX-License-Identifier: Apache-2.0
import SessionAPI

// The defaults of delegate methods that a program leaves out. Each notes the call on the timeline and answers as the
// toolchain's default does. They hide the methods of the same names that FoundationNetworking's protocols have.
extension URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler handler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)")
    EmptyDelegate.shared.urlSession(
      session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: handler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler handler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:task:didReceive:completionHandler:)")
    EmptyDelegate.shared.urlSession(session, task: task, didReceive: challenge, completionHandler: handler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream handler: @escaping @Sendable (InputStream?) -> Void
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:task:needNewBodyStream:)")
    EmptyDelegate.shared.urlSession(session, task: task, needNewBodyStream: handler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData sent: Int64, totalBytesSent total: Int64,
    totalBytesExpectedToSend expected: Int64
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)")
    EmptyDelegate.shared.urlSession(
      session, task: task, didSendBodyData: sent, totalBytesSent: total, totalBytesExpectedToSend: expected)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    ObservedLoads.leftOut(task, "urlSession(_:task:didFinishCollecting:)")
    EmptyDelegate.shared.urlSession(session, task: task, didFinishCollecting: metrics)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ObservedLoads.leftOut(task, "urlSession(_:task:didCompleteWithError:)")
    EmptyDelegate.shared.urlSession(session, task: task, didCompleteWithError: error)
  }
}

extension URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:dataTask:didReceive:completionHandler:)", "response")
    EmptyDelegate.shared.urlSession(session, dataTask: task, didReceive: response, completionHandler: handler)
  }

  func urlSession(
    _ session: URLSession, dataTask task: URLSessionDataTask, didBecome download: URLSessionDownloadTask
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:dataTask:didBecome:)", "download")
    EmptyDelegate.shared.urlSession(session, dataTask: task, didBecome: download)
  }

  func urlSession(_ session: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    ObservedLoads.leftOut(task, "urlSession(_:dataTask:didReceive:)", "data")
    EmptyDelegate.shared.urlSession(session, dataTask: task, didReceive: data)
  }

  func urlSession(
    _ session: URLSession, dataTask task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
    completionHandler handler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:dataTask:willCacheResponse:completionHandler:)")
    EmptyDelegate.shared.urlSession(session, dataTask: task, willCacheResponse: response, completionHandler: handler)
  }
}

extension URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, downloadTask task: URLSessionDownloadTask, didWriteData written: Int64,
    totalBytesWritten total: Int64, totalBytesExpectedToWrite expected: Int64
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)")
    EmptyDelegate.shared.urlSession(
      session, downloadTask: task, didWriteData: written, totalBytesWritten: total, totalBytesExpectedToWrite: expected)
  }

  func urlSession(
    _ session: URLSession, downloadTask task: URLSessionDownloadTask, didResumeAtOffset offset: Int64,
    expectedTotalBytes expected: Int64
  ) {
    ObservedLoads.leftOut(task, "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)")
    EmptyDelegate.shared.urlSession(
      session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
  }
}
