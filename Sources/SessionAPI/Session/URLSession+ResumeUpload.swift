// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Uploads that go on where an earlier one stopped.
///
/// The task asks the server how much has come and sends the rest. Resume data that cannot be read, or whose file has
/// changed or is gone, makes the task fail with -3001 (`URLError.cannotOpenFile`), and so does a server that knows nothing
/// of the upload any more. Where the body was a stream, the delegate is asked for the rest of it (`needNewBodyStreamFrom`).
extension URLSession {
  /// A task that goes on with the upload of `resumeData` and gives the answer to the data delegate.
  public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
    make(.uploading(resumeData, receiver: .dataDelegate), URLSessionUploadTask.init)
  }

  /// A task that goes on with the upload of `resumeData` and collects the answer in memory.
  public func uploadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    make(.uploading(resumeData, receiver: .dataHandler(completionHandler)), URLSessionUploadTask.init)
  }
}

extension TaskOrder {
  /// The order that resume data of an upload asks for.
  fileprivate static func uploading(_ data: Data, receiver: Receiver) -> TaskOrder {
    do throws(ResumeRefusal) {
      let record = try UploadRecord(data: data)
      return TaskOrder(request: record.request, receiver: receiver, uploading: record)
    } catch {
      let nowhere = URLRequest(url: URL(fileURLWithPath: "/"))
      return TaskOrder(
        request: nowhere, receiver: receiver, showsRequest: false,
        refusal: LoadError.unresumable(upload: error, url: nil))
    }
  }
}
