// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
import TestHome

/// System calls of this process that fail, as those of a broken disk do.
public enum FailingCalls {
  /// A call that can fail.
  public enum Call: String, Sendable, Codable {
    case write, sync, close, truncate
    /// Making a file that is not there yet.
    case create
    /// Opening a file that is there, to read and to write it, and not through a link.
    case reopen
    case rename
    case remove
  }

  /// True if the system can do this; where it cannot, such tests have to be left out.
  public static let arePossible = workbench_can_fail_calls() == 1

  /// From now on `call` on `descriptor`, or on any, fails with `error`. For ever: only in a process of the test's own.
  /// - Throws: `POSIXError` where the system refuses that.
  public static func begin(_ call: Call, on descriptor: Int32 = -1, with error: POSIXErrorCode) throws {
    let number =
      switch call {
      case .write: workbench_call_write
      case .sync: workbench_call_sync
      case .close: workbench_call_close
      case .truncate: workbench_call_truncate
      case .create: workbench_call_create
      case .reopen: workbench_call_reopen
      case .rename: workbench_call_rename
      case .remove: workbench_call_remove
      }
    guard workbench_fail_call(number, descriptor, error.rawValue) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }

  /// The descriptor of the open file whose name begins with `beginning`; nil without one.
  public static func descriptor(ofFileNamed beginning: String) -> Int32? {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let number = names.first { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.split(separator: "/").last?.hasPrefix(beginning) == true
    }
    return number.flatMap { Int32($0) }
  }
}
