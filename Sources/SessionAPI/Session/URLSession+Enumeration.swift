// SPDX-License-Identifier: Apache-2.0
import Locking

/// The tasks of a session that run or are suspended. A task that was never resumed is not among them, nor is one that was
/// cancelled or has completed.
extension URLSession {
  /// The data, upload and download tasks there are now.
  public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    get async { sorted() }
  }

  /// All tasks there are now.
  public var allTasks: [URLSessionTask] {
    get async { listedTasks }
  }

  var listedTasks: [URLSessionTask] {
    unfinishedTasks.filter { task in task.shared.withLock { $0.life.isListed } }
  }

  func sorted() -> ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    let all = listedTasks
    return (
      all.filter { !($0 is URLSessionUploadTask) }.compactMap { $0 as? URLSessionDataTask },
      all.compactMap { $0 as? URLSessionUploadTask }, all.compactMap { $0 as? URLSessionDownloadTask }
    )
  }
}
