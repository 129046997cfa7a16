// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// Which classes of delegates have `connection(_:needNewBodyStream:)`: those that have are spared the copy of the stream.
///
/// Nobody can be asked without Objective-C, so the default body leaves word here when it runs, and a class that was
/// called without leaving word has the method. Until a class was called, nothing is known.
enum BodyStreamMethod {
  private static let known = Locked<[ObjectIdentifier: Bool]>([:])

  /// Whether the class of `delegate` has the method; nil when it was never called.
  static func isKnown(in delegate: AnyObject) -> Bool? {
    known.withLock { $0[ObjectIdentifier(type(of: delegate))] }
  }

  /// Called by the default body.
  static func isMissing(in delegate: AnyObject) {
    known.withLock { $0[ObjectIdentifier(type(of: delegate))] = false }
  }

  /// Whether the class of `delegate`, whose method has just returned, has it.
  static func wasCalled(on delegate: AnyObject) -> Bool {
    known.withLock { known in
      let key = ObjectIdentifier(type(of: delegate))
      let isThere = known[key] ?? true
      known[key] = isThere
      return isThere
    }
  }
}
