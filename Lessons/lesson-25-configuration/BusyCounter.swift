// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A delegate that is busy for a second with its first piece.
final class BusyCounter: PieceCounter, @unchecked Sendable {
  // begin busy
  override func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive data: Data
  ) {
    if received == 0 {
      Thread.sleep(forTimeInterval: 1)  // ←
      print("the queue is free")
    }
    super.urlSession(session, dataTask: dataTask, didReceive: data)
  }
  // end busy
}
