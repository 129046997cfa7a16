// SPDX-License-Identifier: Apache-2.0
import Delivery

/// The methods of a session's and a task's delegates.
enum DelegateMethod: String, OptionalMethod {
  case didBecomeInvalid = "urlSession(_:didBecomeInvalidWithError:)"
  case didFinishEvents = "urlSessionDidFinishEvents(forBackgroundURLSession:)"
  case willBeginDelayed = "urlSession(_:task:willBeginDelayedRequest:completionHandler:)"
  case didCreateTask = "urlSession(_:didCreateTask:)"
  case didReceiveSessionChallenge = "urlSession(_:didReceive:completionHandler:)"
  case didReceiveChallenge = "urlSession(_:task:didReceive:completionHandler:)"
  case willPerformRedirection = "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
  case needNewBodyStream = "urlSession(_:task:needNewBodyStream:)"
  case needNewBodyStreamFrom = "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)"
  case didSendBodyData = "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)"
  case didReceiveInformational = "urlSession(_:task:didReceiveInformationalResponse:)"
  case isWaitingForConnectivity = "urlSession(_:taskIsWaitingForConnectivity:)"
  case didFinishCollecting = "urlSession(_:task:didFinishCollecting:)"
  case didComplete = "urlSession(_:task:didCompleteWithError:)"
  case didReceiveResponse = "urlSession(_:dataTask:didReceive:completionHandler:) response"
  case didBecomeDownload = "urlSession(_:dataTask:didBecome:) download"
  case didReceiveData = "urlSession(_:dataTask:didReceive:) data"
  case willCacheResponse = "urlSession(_:dataTask:willCacheResponse:completionHandler:)"
  case didWriteData = "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"
  case didResume = "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)"
  case didFinishDownloading = "urlSession(_:downloadTask:didFinishDownloadingTo:)"
  case didBecomeStream = "urlSession(_:dataTask:didBecome:) stream"
  case readClosed = "urlSession(_:readClosedFor:)"
  case writeClosed = "urlSession(_:writeClosedFor:)"
  case didCapture = "urlSession(_:streamTask:didBecome:outputStream:)"
  case didOpenSocket = "urlSession(_:webSocketTask:didOpenWithProtocol:)"
  case didCloseSocket = "urlSession(_:webSocketTask:didCloseWith:reason:)"
}
