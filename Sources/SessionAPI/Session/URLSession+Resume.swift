// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Downloads that go on where an earlier one stopped.
///
/// The task asks for the missing part of the same version (`Range` with `If-Range`) and writes it behind what there is.
/// Where the server has another version by now, or sends no parts, the download starts from the beginning. Resume data
/// that cannot be read, or whose file is gone, makes the task fail with -3001 (`URLError.cannotOpenFile`). Data of
/// Apple's own systems cannot be read here, because it holds archives that exist only there.
extension URLSession {
  /// A task that goes on with the download of `resumeData` and gives the download delegate the whole file.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    make(.resuming(resumeData, receiver: .downloadDelegate), URLSessionDownloadTask.init)
  }

  /// A task that goes on with the download of `resumeData` and hands over a temporary file with the whole body, removed
  /// when the handler returns.
  public func downloadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    make(
      .resuming(resumeData, receiver: .fileHandler(completionHandler, keepsFile: false)), URLSessionDownloadTask.init)
  }

  /// Goes on with the download of `resumeData` and returns a file with the whole body. The file is the caller's, who
  /// moves or removes it.
  ///
  /// - Throws: A `URLError`, whose `downloadTaskResumeData` serves for another attempt where one makes sense.
  public func download(
    resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await value { handler in
      let receiver = Receiver.fileHandler(handler, keepsFile: true)
      return self.make(
        .resuming(resumeData, receiver: receiver, delegate: delegate), URLSessionDownloadTask.init)
    }
  }
}

extension TaskOrder {
  /// The order that resume data asks for.
  fileprivate static func resuming(
    _ data: Data, receiver: Receiver, delegate: (any URLSessionTaskDelegate)? = nil
  ) -> TaskOrder {
    do throws(ResumeRefusal) {
      let record = try ResumeRecord(data: data)
      return TaskOrder(request: record.request, receiver: receiver, delegate: delegate, resuming: record)
    } catch {
      let nowhere = URLRequest(url: URL(fileURLWithPath: "/"))
      return TaskOrder(
        request: nowhere, receiver: receiver, delegate: delegate, showsRequest: false,
        refusal: LoadError.unresumable(error, url: nil))
    }
  }
}
