// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
package import URLLoading

/// The key in an error's `userInfo` under which the resume data of a download stands, as `Data`.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

/// The key in an error's `userInfo` under which the resume data of an upload stands, as `Data`.
public let NSURLSessionUploadTaskResumeData = "NSURLSessionUploadTaskResumeData"

extension URLError {
  /// What `URLSession.downloadTask(withResumeData:)` needs to go on with the download that failed so; nil when it cannot
  /// be resumed, or this is no download's error.
  public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

  /// What `URLSession.uploadTask(withResumeData:)` needs to go on with the upload that failed so; nil when it cannot be
  /// resumed, or this is no upload's error.
  public var uploadTaskResumeData: Data? { userInfo[NSURLSessionUploadTaskResumeData] as? Data }

  /// The same error with resume data under these keys, where there is some.
  func carrying(_ data: [String: Data?]) -> URLError {
    let found = data.compactMapValues { $0 }
    return found.isEmpty ? self : URLError(code, userInfo: userInfo.merging(found) { $1 })
  }
}

/// The I/O thread's side of downloads that stop and go on.
extension URLSessionTask {
  package func load(_ load: Load, didResumeAt offset: Int64, expected: Int64) {
    shared.withLock { state in
      state.resumed = (offset, expected)
      state.written.begin(at: offset)
    }
    guard downloadDelegate != nil else { return }
    mailbox.post { [self] in deliverResumed(at: offset, of: expected) }
  }

  private func deliverResumed(at offset: Int64, of expected: Int64) {
    guard isWanted, let task = self as? URLSessionDownloadTask, let delegate = downloadDelegate else { return }
    guard case .downloadDelegate = shared.withLock({ $0.receiver }) else { return }
    task.deliver(resumedAt: offset, of: expected, to: delegate)
  }

  func stop(producingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    let isInTime = shared.withLock { state in
      guard state.life.isWanted, !state.life.hasEnded, state.load != nil else { return false }
      state.resumeHandler = completionHandler
      return true
    }
    if !isInTime { DispatchQueue.global().async { completionHandler(nil) } }
    live { $0.cancelled() }
  }

  func cancel(_ load: Load) {
    let (wantsResumeData, receiver) = shared.withLock { ($0.resumeHandler != nil, $0.receiver) }
    if case .link(let user) = receiver { return user.cancelled(self, load) }
    guard wantsResumeData else { return load.cancel() }
    if self is URLSessionUploadTask { load.cancelUploadToResume() } else { load.cancelToResume() }
  }

  /// Brings the end to the delegate queue; resume data, which takes a visit to the disk, is made on the way.
  func finish(_ end: LoadEnd, of load: Load, _ handler: (@Sendable (Data?) -> Void)?) {
    guard handler != nil || end.partial != nil || end.partialUpload != nil else {
      return mailbox.post { [self] in deliverEnd(end, of: load) }
    }
    DispatchQueue.global().async { [self] in
      var end = end
      let download = end.partial?.resumeData()
      let upload = end.partialUpload?.resumeData(in: session.directory)
      (end.partial, end.partialUpload) = (nil, nil)
      end.error = end.error?.carrying([
        NSURLSessionDownloadTaskResumeData: download, NSURLSessionUploadTaskResumeData: upload,
      ])
      handler?(download ?? upload)
      mailbox.post { [self, end] in deliverEnd(end, of: load) }
    }
  }
}
