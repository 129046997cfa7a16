// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import URLLoading

/// A task that sends a body.
///
/// Every upload offers the server to resume after an interruption (draft-ietf-httpbis-resumable-upload-05, `Upload-Complete`
/// and `Upload-Draft-Interop-Version: 6`). A server that takes the offer names a resource in a 104, which
/// `didReceiveInformationalResponse` delivers. When the connection is lost then, the task asks there how much has arrived and
/// sends the rest by itself, three times in a row at most unless more comes in between; `currentRequest` is the HEAD or
/// PATCH that does so.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
  override func cancel(_ load: Load) {
    if wantsResumeData { load.cancelUploadToResume() } else { super.cancel(load) }
  }

  /// Ends the task with -999 like `cancel()`, but keeps what is needed to continue the upload.
  ///
  /// - Parameter completionHandler: Called once, on no particular thread, before the completion is delivered. It takes
  ///   resume data for `URLSession.uploadTask(withResumeData:)`, an XML property list; nil where the server has not offered
  ///   to resume. Bytes in memory are then in a private file of the temporary folder; a file of the user's must stay as it
  ///   is. The header fields of the request are in it: keep it as private as those. The completion's error has the same
  ///   data under `NSURLSessionUploadTaskResumeData`.
  open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    stop(producingResumeData: completionHandler)
  }

  /// `cancel(byProducingResumeData:)` to await.
  open func cancelByProducingResumeData() async -> Data? {
    await withCheckedContinuation { continuation in
      cancel(byProducingResumeData: { continuation.resume(returning: $0) })
    }
  }
}
