// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

extension TaskOrder {
  /// The order that resume data of an upload asks for.
  static func uploading(_ data: Data, receiver: Receiver) -> TaskOrder {
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
