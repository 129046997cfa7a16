// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import URLLoading

/// The key in an error's `userInfo` under which the resume data of a download stands, as `Data`.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

/// The key in an error's `userInfo` under which the resume data of an upload stands, as `Data`.
public let NSURLSessionUploadTaskResumeData = "NSURLSessionUploadTaskResumeData"

extension URLError {
  /// The data that `URLSession.downloadTask(withResumeData:)` needs to continue the download that failed so; nil when it cannot
  /// be resumed, or this is no download's error.
  public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

  /// The data that `URLSession.uploadTask(withResumeData:)` needs to continue the upload that failed so; nil when it cannot be
  /// resumed, or this is no upload's error.
  public var uploadTaskResumeData: Data? { userInfo[NSURLSessionUploadTaskResumeData] as? Data }

  /// The same error with resume data under these keys, where there is some.
  func carrying(_ data: [String: Data?]) -> URLError {
    let found = data.compactMapValues { $0 }
    return found.isEmpty ? self : URLError(code, userInfo: userInfo.merging(found) { $1 })
  }
}

extension URLSessionTask {
  /// Cancels the task and passes on its resume data, or nil.
  func stop(producingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    let isInTime = shared.withLock { state in
      guard state.life.isWanted, !state.life.hasEnded, state.load != nil else { return false }
      state.resumeHandler = completionHandler
      return true
    }
    if !isInTime { DispatchQueue.global().async { completionHandler(nil) } }
    live { $0.cancelled() }
  }

  /// True if the program waits for resume data.
  var wantsResumeData: Bool { shared.withLock { $0.resumeHandler != nil } }
}
