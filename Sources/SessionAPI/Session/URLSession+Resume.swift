// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

extension URLSession {
  /// Continues the download of `resumeData` and returns a file with the whole body. The file is the caller's, who
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

extension TaskSpecification {
  /// The specification that resume data asks for.
  static func resuming(
    _ data: Data, receiver: Receiver, delegate: (any URLSessionTaskDelegate)? = nil
  ) -> TaskSpecification {
    do throws(ResumeRefusal) {
      let record = try ResumeRecord(data: data)
      return TaskSpecification(request: record.request, receiver: receiver, delegate: delegate, resuming: record)
    } catch {
      let nowhere = URLRequest(url: URL(fileURLWithPath: "/"))
      return TaskSpecification(
        request: nowhere, receiver: receiver, delegate: delegate, showsRequest: false,
        refusal: LoadError.unresumable(error, url: nil))
    }
  }
}
