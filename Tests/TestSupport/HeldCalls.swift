// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
import TestHome

/// System calls of this process that change files below one folder, each of which is looked at before it is made:
/// opening a file to write or create it, writing, syncing, cutting, renaming, linking, removing, changing modes and
/// attributes, making folders. Calls between them only read, so that what is on the disk is the same before each of them.
///
/// For ever: only in a process of the test's own, and once.
public enum HeldCalls {
  /// What happens in place of a call.
  public enum Fate: Sendable {
    /// The process is killed (SIGKILL).
    case kill
    /// The call fails, and the next one is made again.
    case fail(POSIXErrorCode)
    /// The call fails, and so do all after it.
    case failAll(POSIXErrorCode)
  }

  /// True if the system can do this; where it cannot, such tests have to be left out.
  public static let arePossible = workbench_can_hold_calls()

  /// How many calls there were since `begin`.
  public static var count: Int { workbench_count_calls() }

  /// From now on calls below `folder` are counted, and the one of number `number`, from 0, meets its fate; nil for none.
  /// - Throws: `POSIXError` where the system refuses that.
  public static func begin(in folder: String, number: Int? = nil, _ fate: Fate = .kill) throws {
    let (error, lasts): (Int32, Bool) =
      switch fate {
      case .kill: (0, false)
      case .fail(let code): (code.rawValue, false)
      case .failAll(let code): (code.rawValue, true)
      }
    let result = workbench_hold_calls(folder, number ?? -1, error, lasts)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EPERM) }
  }

  // MARK: - A disk that does not answer

  /// From now on all calls below `folder`, also those that only look or read, wait for `release()`.
  /// - Throws: `POSIXError` where the system refuses that.
  public static func park(in folder: String) throws {
    let result = workbench_park_calls(folder)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EPERM) }
  }

  /// Makes the calls that wait, and all later ones at once.
  public static func release() { workbench_release_calls() }

  /// How many calls below the folder a thread has made since `park(in:)`; nil for all threads.
  public static func parkedCalls(of thread: Int? = nil) -> Int { workbench_calls_of_thread(thread ?? 0) }

  /// The number of the calling thread.
  public static var thread: Int { workbench_this_thread() }
}
