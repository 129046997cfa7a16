// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import URLLoading

/// Parts of downloads in the session's folder.
extension AgentSession {
  /// Finds the part that an earlier attempt or agent has left of a download, where it can be resumed.
  func resumption(of task: TransferRecord) -> ResumeRecord? {
    guard let data = task.resume, var record = try? ResumeRecord(data: data) else { return nil }
    var status = stat()
    let path = folder.appendingPathComponent(record.fileName).path
    guard isCertain(path, of: task), unsafe lstat(path, &status) == 0, status.st_size > 0 else {
      removePart(task.resume)
      return nil
    }
    task.request.complete(&record.request)
    record.received = min(Int64(status.st_size), record.total ?? .max)
    return record
  }

  /// True if the file holds what was received. After another boot it is cut to the bytes that the disk has for certain.
  private func isCertain(_ path: String, of task: TransferRecord) -> Bool {
    if task.boot == Boot.current { return true }
    var status = stat()
    guard let synced = task.synced, synced > 0, unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size >= synced, unsafe truncate(path, off_t(synced)) == 0
    else { return false }
    change(task.key) { $0.boot = Boot.current }
    return true
  }

  /// The record of a part that is being written, or nil where there is none that can be continued.
  func keepPart(_ key: UUID, _ resume: Data?) {
    let isSame = fileName(resume) != nil && fileName(resume) == fileName(tasks[key]?.task.record.resume)
    change(key) { task in
      (task.resume, task.boot) = (resume, Boot.current)
      if !isSame { task.synced = nil }
    }
  }

  /// The name of a part's file.
  func fileName(_ resume: Data?) -> String? { resume.flatMap { try? ResumeRecord(data: $0) }?.fileName }

  func removePart(_ resume: Data?) {
    guard let record = resume.flatMap({ try? ResumeRecord(data: $0) }) else { return }
    unsafe unlink(folder.appendingPathComponent(record.fileName).path)
  }
}
