// SPDX-License-Identifier: Apache-2.0
import SessionAPI
import Foundation

/// Writes what comes for one part at its place in the file, through a handle
/// of its own.
final class TaskPart: NSObject, URLSessionDataDelegate,
  @unchecked Sendable
{
  private let handle: FileHandle?
  private let group: DispatchGroup
  init(_ path: String, _ start: Int64, _ group: DispatchGroup) {
    (handle, self.group) = (FileHandle(forWritingAtPath: path), group)
    try? handle?.seek(toOffset: UInt64(start))
  }
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive data: Data
  ) {
    handle?.write(data)
  }
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    group.leave()
  }
}
