// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
package import URLLoading

/// The key in an error's `userInfo` under which the resume data of a download stands, as `Data`.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

extension URLError {
  /// What `URLSession.downloadTask(withResumeData:)` needs to go on with the download that failed so; nil when it cannot
  /// be resumed, or this is no download's error.
  public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

  func carrying(resumeData data: Data?) -> URLError {
    guard let data else { return self }
    return URLError(code, userInfo: userInfo.merging([NSURLSessionDownloadTaskResumeData: data]) { $1 })
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

  func cancel(_ load: Load) {
    let (wantsResumeData, receiver) = shared.withLock { ($0.resumeHandler != nil, $0.receiver) }
    if case .link(let user) = receiver { return user.cancelled(self, load) }
    if wantsResumeData { load.cancelToResume() } else { load.cancel() }
  }

  /// Brings the end to the delegate queue; resume data, which takes a visit to the disk, is made on the way.
  func finish(_ end: LoadEnd, of load: Load) {
    let handler = shared.withLock { state in
      defer { state.resumeHandler = nil }
      return state.resumeHandler
    }
    guard handler != nil || end.partial != nil else { return mailbox.post { [self] in deliverEnd(end, of: load) } }
    DispatchQueue.global().async { [self] in
      var end = end
      let data = end.partial?.resumeData()
      end.partial = nil
      end.error = end.error?.carrying(resumeData: data)
      handler?(data)
      mailbox.post { [self, end] in deliverEnd(end, of: load) }
    }
  }
}
