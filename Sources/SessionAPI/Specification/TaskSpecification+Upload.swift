// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

extension TaskSpecification {
  /// The specification that resume data of an upload asks for.
  static func uploading(_ data: Data, receiver: Receiver) -> TaskSpecification {
    do throws(ResumeRefusal) {
      let record = try UploadRecord(data: data)
      return TaskSpecification(request: record.request, receiver: receiver, uploading: record)
    } catch {
      let nowhere = URLRequest(url: URL(fileURLWithPath: "/"))
      return TaskSpecification(
        request: nowhere, receiver: receiver, showsRequest: false,
        refusal: LoadError.unresumable(upload: error, url: nil))
    }
  }
}
