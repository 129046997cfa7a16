// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Timeline

/// A delegate method under Apple's name, and whether a class has it.
///
/// Without Objective-C nobody can be asked whether it implements an optional method: the default body in the protocol's
/// extension just runs instead. So that no report shows a callback which the user never wrote, the default bodies leave
/// word here. The first call of a method on a class finds out; it alone is announced after it has run. All this
/// happens only while somebody records. The completion is not asked about: it is always announced, before it runs.
enum DelegateMethod: String {
  case didBecomeInvalid = "urlSession(_:didBecomeInvalidWithError:)"
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
  case didReceiveResponse = "urlSession(_:dataTask:didReceive:completionHandler:)"
  case didBecomeDownload = "urlSession(_:dataTask:didBecome:)"
  case didReceiveData = "urlSession(_:dataTask:didReceive:)"
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

  /// What tells methods of like names apart.
  var detail: String {
    switch self {
    case .didReceiveResponse: "response"
    case .didReceiveData: "data"
    case .didBecomeDownload: "download"
    case .didBecomeStream: "stream"
    default: ""
    }
  }

  /// The event that says that this method is about to run.
  var event: TimelineEvent.Kind {
    .callback(name: (self == .didBecomeStream ? .didBecomeDownload : self).rawValue, detail: detail)
  }

  /// Runs `call`, which calls this method on `delegate`, and `announce` before it, if the delegate has the method.
  func run(on delegate: any URLSessionDelegate, announce: () -> Void, call: () -> Void) {
    guard Timeline.isRecording else { return call() }
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    switch Self.implemented.withLock({ $0[key] }) {
    case true?:
      announce()
      call()
    case false?:
      call()
    case nil:
      call()
      if Self.implemented.withLock({ $0.learn(key) }) { announce() }
    }
  }

  /// Called by the default bodies: the class of `delegate` does not have this method.
  func isMissing(in delegate: any URLSessionDelegate) {
    guard Timeline.isRecording else { return }
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    Self.implemented.withLock { $0[key] = false }
  }

  /// Like `isMissing(in:)`, and remembered for good whether or not somebody records.
  func isLeftOut(by delegate: any URLSessionDelegate) {
    isMissing(in: delegate)
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    Self.leftOut.withLock { _ = $0.insert(key) }
  }

  /// Whether it is known that the class of `delegate` does not have this method; true for no delegate.
  func isKnownToBeLeftOut(by delegate: (any URLSessionDelegate)?) -> Bool {
    guard let delegate else { return true }
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    return Self.leftOut.withLock { $0.contains(key) }
  }

  private static let leftOut = Locked<Set<Key>>([])

  fileprivate struct Key: Hashable {
    let type: ObjectIdentifier
    let method: DelegateMethod
  }

  private static let implemented = Locked<[Key: Bool]>([:])
}

extension [DelegateMethod.Key: Bool] {
  /// The method returned: unless its default body left word, it is the class's own.
  fileprivate mutating func learn(_ key: DelegateMethod.Key) -> Bool {
    let known = self[key] ?? true
    self[key] = known
    return known
  }
}
