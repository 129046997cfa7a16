// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation

/// Writes what comes for one part at its place in the file, through a handle
/// of its own.
final class ConnectionPart: NSObject, NSURLConnectionDataDelegate {
  private let handle: FileHandle?
  private let group: DispatchGroup
  init(_ path: String, _ start: Int64, _ group: DispatchGroup) {
    (handle, self.group) = (FileHandle(forWritingAtPath: path), group)
    try? handle?.seek(toOffset: UInt64(start))
  }
  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    handle?.write(data)
  }
  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    group.leave()
  }
  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) { group.leave() }
}
