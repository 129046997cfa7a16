// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// Which classes of delegates have `connection(_:needNewBodyStream:)`: their loads need no copy of the stream.
///
/// Without Objective-C a class cannot be asked, so the default body notes its class here when it runs. A class whose
/// method was called without such a note has one of its own. Before the first call the answer is unknown.
enum BodyStreamMethod {
  private static let known = Locked<[ObjectIdentifier: Bool]>([:])

  /// True if the class of `delegate` has the method; nil when it was never called.
  static func isKnown(in delegate: AnyObject) -> Bool? {
    known.withLock { $0[ObjectIdentifier(type(of: delegate))] }
  }

  /// Called by the default body.
  static func isMissing(in delegate: AnyObject) {
    known.withLock { $0[ObjectIdentifier(type(of: delegate))] = false }
  }

  /// True if the class of `delegate`, whose method has just returned, has it.
  static func wasCalled(on delegate: AnyObject) -> Bool {
    known.withLock { known in
      let key = ObjectIdentifier(type(of: delegate))
      let isThere = known[key] ?? true
      known[key] = isThere
      return isThere
    }
  }
}
