// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import URLLoading

/// Parts of downloads in the session's folder.
extension AgentSession {
  /// What an earlier attempt or agent has left of a download, where it can be resumed.
  func resumption(of task: TransferRecord) -> ResumeRecord? {
    guard let data = task.resume, var record = try? ResumeRecord(data: data) else { return nil }
    var status = stat()
    let path = folder.appendingPathComponent(record.fileName).path
    guard task.boot == Boot.current, unsafe lstat(path, &status) == 0, status.st_size > 0 else {
      removePart(task.resume)
      return nil
    }
    task.request.complete(&record.request)
    record.received = min(Int64(status.st_size), record.total ?? .max)
    return record
  }

  func removePart(_ resume: Data?) {
    guard let record = resume.flatMap({ try? ResumeRecord(data: $0) }) else { return }
    unsafe unlink(folder.appendingPathComponent(record.fileName).path)
  }
}
