// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// The names of tasks in logs.
extension URLSessionTask {
  /// Kind, name and number of the task; nil where Apple's form is not known.
  var logName: String? {
    guard let kind, let name = shared.withLock({ $0.isInert ? nil : remote?.key ?? $0.named() }) else { return nil }
    return "\(remote == nil ? "Local" : "Background")\(kind)Task <\(name.uuidString)>.<\(taskIdentifier)>"
  }

  private var kind: String? {
    switch self {
    case is URLSessionUploadTask: "Upload"
    case is URLSessionDataTask: "Data"
    case is URLSessionDownloadTask: "Download"
    case is URLSessionWebSocketTask: "WebSocket"
    default: nil
    }
  }
}
