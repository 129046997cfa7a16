// SPDX-License-Identifier: Apache-2.0
import Delivery
import Locking

/// The methods of a session's and a task's delegates.
enum DelegateMethod: OptionalMethod {
  case didBecomeInvalid
  case didFinishEvents
  case willBeginDelayed
  case didCreateTask
  case didReceiveSessionChallenge
  case didReceiveChallenge
  case willPerformRedirection
  case needNewBodyStream
  case needNewBodyStreamFrom
  case didSendBodyData
  case didReceiveInformational
  case isWaitingForConnectivity
  case didFinishCollecting
  case didComplete
  case didReceiveResponse
  case didBecomeDownload
  case didReceiveData
  case willCacheResponse
  case didWriteData
  case didResume
  case didFinishDownloading
  case didBecomeStream
  case readClosed
  case writeClosed
  case didCapture
  case didOpenSocket
  case didCloseSocket

  static let findings = Locked(MethodFindings<DelegateMethod>())

  var name: String {
    switch self {
    case .didBecomeInvalid: "urlSession(_:didBecomeInvalidWithError:)"
    case .didFinishEvents: "urlSessionDidFinishEvents(forBackgroundURLSession:)"
    case .willBeginDelayed: "urlSession(_:task:willBeginDelayedRequest:completionHandler:)"
    case .didCreateTask: "urlSession(_:didCreateTask:)"
    case .didReceiveSessionChallenge: "urlSession(_:didReceive:completionHandler:)"
    case .didReceiveChallenge: "urlSession(_:task:didReceive:completionHandler:)"
    case .willPerformRedirection: "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
    case .needNewBodyStream: "urlSession(_:task:needNewBodyStream:)"
    case .needNewBodyStreamFrom: "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)"
    case .didSendBodyData: "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)"
    case .didReceiveInformational: "urlSession(_:task:didReceiveInformationalResponse:)"
    case .isWaitingForConnectivity: "urlSession(_:taskIsWaitingForConnectivity:)"
    case .didFinishCollecting: "urlSession(_:task:didFinishCollecting:)"
    case .didComplete: "urlSession(_:task:didCompleteWithError:)"
    case .didReceiveResponse: "urlSession(_:dataTask:didReceive:completionHandler:)"
    case .didBecomeDownload, .didBecomeStream: "urlSession(_:dataTask:didBecome:)"
    case .didReceiveData: "urlSession(_:dataTask:didReceive:)"
    case .willCacheResponse: "urlSession(_:dataTask:willCacheResponse:completionHandler:)"
    case .didWriteData: "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"
    case .didResume: "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)"
    case .didFinishDownloading: "urlSession(_:downloadTask:didFinishDownloadingTo:)"
    case .readClosed: "urlSession(_:readClosedFor:)"
    case .writeClosed: "urlSession(_:writeClosedFor:)"
    case .didCapture: "urlSession(_:streamTask:didBecome:outputStream:)"
    case .didOpenSocket: "urlSession(_:webSocketTask:didOpenWithProtocol:)"
    case .didCloseSocket: "urlSession(_:webSocketTask:didCloseWith:reason:)"
    }
  }

  var detail: String {
    switch self {
    case .didReceiveResponse: "response"
    case .didBecomeDownload: "download"
    case .didReceiveData: "data"
    case .didBecomeStream: "stream"
    default: ""
    }
  }
}
