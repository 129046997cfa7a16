// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Timeline
import URLLoading

/// The one place where delegate methods of data and download tasks are called, and noted in the timeline.
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
      unsafe data.withUnsafeBytes { unsafe announce(.didReceiveData, .bytes($0)) }
    } call: {
      delegate.urlSession(session, dataTask: self, didReceive: data)
    }
  }

  func deliver(
    willCache response: CachedURLResponse, to delegate: any URLSessionDataDelegate,
    answer: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.willCacheResponse.run(on: delegate) {
      announce(.willCacheResponse)
    } call: {
      delegate.urlSession(session, dataTask: self, willCacheResponse: response) {
        if once.claim() { answer($0) }
      }
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
    let handed = HandedFile(file, subject: subject)
    delegate.urlSession(session, downloadTask: self, didFinishDownloadingTo: file)
    handed?.returned()
  }
}
