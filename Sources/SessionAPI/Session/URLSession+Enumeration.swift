// SPDX-License-Identifier: Apache-2.0

/// The tasks of a session that have not completed yet, those that were never resumed as well.
extension URLSession {
  /// Gives `completionHandler`, on `delegateQueue`, the data, upload and download tasks there are now.
  public func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
  ) {
    let tasks = sorted()
    post { completionHandler(tasks.0, tasks.1, tasks.2) }
  }

  /// Gives `completionHandler`, on `delegateQueue`, all tasks there are now.
  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    let tasks = unfinishedTasks
    post { completionHandler(tasks) }
  }

  /// The data, upload and download tasks there are now.
  public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    get async { sorted() }
  }

  /// All tasks there are now.
  public var allTasks: [URLSessionTask] {
    get async { unfinishedTasks }
  }

  private func sorted() -> ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    let all = unfinishedTasks
    return (
      all.filter { !($0 is URLSessionUploadTask) }.compactMap { $0 as? URLSessionDataTask },
      all.compactMap { $0 as? URLSessionUploadTask }, all.compactMap { $0 as? URLSessionDownloadTask }
    )
  }
}
