// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import URLLoading

/// A task whose body goes into a temporary file.
///
/// A download that was cancelled with `cancel(byProducingResumeData:)`, or that lost its connection, can be taken up
/// again later with `URLSession.downloadTask(withResumeData:)`, in another process as well. That takes a GET over http or
/// https whose response had a strong `ETag`, or a `Last-Modified` that is older than the response, and
/// `Accept-Ranges: bytes`; and a body that was stored as it was sent, without a content coding.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
  override func makeClient(for receiver: Receiver) -> TaskClient {
    switch receiver {
    case .fileHandler(let handler, let keepsFile): FileHandlerClient(self, handler, keepsFile: keepsFile)
    case .dataDelegate, .dataHandler, .downloadDelegate, .bytes, .rawConnection: DownloadClient(self)
    }
  }

  override func cancel(_ load: Load) {
    if wantsResumeData { load.cancelToResume() } else { super.cancel(load) }
  }

  /// Ends the task with -999 like `cancel()`, but keeps what has come, where the download can be resumed.
  ///
  /// - Parameter completionHandler: Called once, on no particular thread, before the completion is delivered. It takes the
  ///   resume data, an XML property list with Apple's keys, which belongs to the part of the file that stays in the
  ///   temporary folder; nil when the download cannot be resumed. The header fields of the request are in it: keep it as
  ///   private as those. The completion's error has the same data under `NSURLSessionDownloadTaskResumeData`.
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
