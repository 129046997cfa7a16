// SPDX-License-Identifier: Apache-2.0

/// The reports of a load on its way. Nothing waits for these calls, which are made as those of `LoadClient` are; the defaults
/// do nothing.
package protocol LoadProgress: AnyObject, Sendable {
  /// True if `LoadEnd.exchanges` are wanted. Asked once, when the load begins. The default is false.
  var wantsExchanges: Bool { get }

  /// An interim response (1xx but 101) that comes before the final one.
  func load(_ load: Load, didReceiveInterim response: HTTPURLResponse)

  /// There is no network that leads to the server, and the load waits for one. Called at most once.
  func loadWaitsForConnectivity(_ load: Load)

  /// Bytes of the body received so far, decoded. Called for every piece.
  func load(_ load: Load, didReceive total: Int64)

  /// A resumed download continues behind `offset` bytes, or from the start when that is 0, and will have `expected` bytes,
  /// or -1. Called after the response and before anything is written.
  func load(_ load: Load, didResumeAt offset: Int64, expected: Int64)

  /// A `.file` sink created its file, and the server has said how to continue it: what another process would need to do
  /// so if this one ended. How many bytes count then is the file's length. Not called for an earlier file that is gone on
  /// with.
  func load(_ load: Load, wouldResume record: ResumeRecord)

  /// A `.file` sink wrote: bytes in the file so far, and the expected total or -1. Of a slow body at the latest 50 ms after
  /// the bytes arrived, if the disk is free; of a fast one in pieces of 512 KiB.
  func load(_ load: Load, didWrite total: Int64, expected: Int64)

  /// Bytes of the request's body that were sent so far, and their expected total or -1. Starts again from 0 when the
  /// body is sent again.
  func load(_ load: Load, didSend total: Int64, expected: Int64)
}

extension LoadProgress {
  package var wantsExchanges: Bool { false }
  package func load(_ load: Load, didReceiveInterim response: HTTPURLResponse) {}
  package func loadWaitsForConnectivity(_ load: Load) {}
  package func load(_ load: Load, didReceive total: Int64) {}
  package func load(_ load: Load, didResumeAt offset: Int64, expected: Int64) {}
  package func load(_ load: Load, wouldResume record: ResumeRecord) {}
  package func load(_ load: Load, didWrite total: Int64, expected: Int64) {}
  package func load(_ load: Load, didSend total: Int64, expected: Int64) {}
}
