// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Timeline
import URLLoading

/// The one place where delegate methods of tasks are called, and told to the timeline.
extension URLSessionTask {
  var taskDelegate: (any URLSessionTaskDelegate)? { shared.withLock { $0.roles.task } ?? session.roles.task }
  var dataDelegate: (any URLSessionDataDelegate)? { shared.withLock { $0.roles.data } ?? session.roles.data }
  var downloadDelegate: (any URLSessionDownloadDelegate)? {
    shared.withLock { $0.roles.download } ?? session.roles.download
  }

  func announce(_ method: DelegateMethod, _ payload: @autoclosure () -> TimelineEvent.Payload = .none) {
    announce(method.event, payload())
  }

  func announce(_ kind: @autoclosure () -> TimelineEvent.Kind, _ payload: @autoclosure () -> TimelineEvent.Payload) {
    guard Timeline.isRecording, let load else { return }
    Timeline.emit(kind(), subject: load.subject, payload: payload())
  }

  func deliverCreation(to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didCreateTask.run(on: delegate) {
      announce(.didCreateTask)
    } call: {
      delegate.urlSession(session, didCreateTask: self)
    }
  }

  func deliver(
    delayed request: URLRequest, to delegate: any URLSessionTaskDelegate,
    answer: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.willBeginDelayed.run(on: delegate) {
      announce(.willBeginDelayed)
    } call: {
      delegate.urlSession(session, task: self, willBeginDelayedRequest: request) {
        if once.claim() { answer($0, $1) }
      }
    }
  }

  func deliver(
    _ redirect: HTTPURLResponse, redirectingTo request: URLRequest, to delegate: any URLSessionTaskDelegate,
    answer: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.willPerformRedirection.run(on: delegate) {
      announce(.willPerformRedirection, .response(redirect))
    } call: {
      delegate.urlSession(session, task: self, willPerformHTTPRedirection: redirect, newRequest: request) {
        if once.claim() { answer($0) }
      }
    }
  }

  func deliverBodyNeed(
    to delegate: any URLSessionTaskDelegate, answer: @escaping @Sendable (InputStream?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.needNewBodyStream.run(on: delegate) {
      announce(.needNewBodyStream)
    } call: {
      delegate.urlSession(session, task: self, needNewBodyStream: { if once.claim() { answer($0) } })
    }
  }

  func deliverBodyNeed(
    from offset: Int64, to delegate: any URLSessionTaskDelegate, answer: @escaping @Sendable (InputStream?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.needNewBodyStreamFrom.run(on: delegate) {
      announce(.needNewBodyStreamFrom)
    } call: {
      delegate.urlSession(session, task: self, needNewBodyStreamFrom: offset) { if once.claim() { answer($0) } }
    }
  }

  func deliver(sent piece: Tally.Piece, to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didSendBodyData.run(on: delegate) {
      announce(.didSendBodyData, .progress(piece))
    } call: {
      delegate.urlSession(
        session, task: self, didSendBodyData: piece.bytes, totalBytesSent: piece.total,
        totalBytesExpectedToSend: piece.expected)
    }
  }

  /// The end is told before it is delivered, and whatever methods the delegate has: whoever records may stop there.
  func deliver(completion error: (any Error)?, to delegate: any URLSessionTaskDelegate) {
    announce(.didComplete, .end(error))
    delegate.urlSession(session, task: self, didCompleteWithError: error)
  }

  /// The delegate has no method for the end.
  func noteCompletionLeftOut() {
    announce(.leftOut(name: DelegateMethod.didComplete.rawValue, detail: ""), .none)
  }
}

extension URLSessionDataTask {
  func deliver(
    _ response: URLResponse, to delegate: any URLSessionDataDelegate,
    answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.didReceiveResponse.run(on: delegate) {
      announce(.didReceiveResponse, .response(response))
    } call: {
      delegate.urlSession(session, dataTask: self, didReceive: response) {
        if once.claim() { answer($0) }
      }
    }
  }

  func deliver(_ data: Data, to delegate: any URLSessionDataDelegate) {
    DelegateMethod.didReceiveData.run(on: delegate) {
      data.withUnsafeBytes { announce(.didReceiveData, .bytes($0)) }
    } call: {
      delegate.urlSession(session, dataTask: self, didReceive: data)
    }
  }
}

extension URLSessionDownloadTask {
  func deliver(written piece: Tally.Piece, to delegate: any URLSessionDownloadDelegate) {
    DelegateMethod.didWriteData.run(on: delegate) {
      announce(.didWriteData, .progress(piece))
    } call: {
      delegate.urlSession(
        session, downloadTask: self, didWriteData: piece.bytes, totalBytesWritten: piece.total,
        totalBytesExpectedToWrite: piece.expected)
    }
  }

  func deliver(resumedAt offset: Int64, of expected: Int64, to delegate: any URLSessionDownloadDelegate) {
    DelegateMethod.didResume.run(on: delegate) {
      announce(.didResume, .progress(piece: 0, total: offset, expected: expected))
    } call: {
      delegate.urlSession(session, downloadTask: self, didResumeAtOffset: offset, expectedTotalBytes: expected)
    }
  }

  func deliver(file: URL, to delegate: any URLSessionDownloadDelegate) {
    announce(.didFinishDownloading, .file(path: file.path))
    delegate.urlSession(session, downloadTask: self, didFinishDownloadingTo: file)
  }
}
