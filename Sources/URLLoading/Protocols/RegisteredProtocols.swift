// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking
import Locking

/// The classes that a program registered to answer requests. The toolchain's own list cannot be read from outside, so
/// `registerClass(_:)` and `unregisterClass(_:)` are replaced.
package enum RegisteredProtocols {
  private static let classes = Locked<[any RequestAnswering.Type]>([])

  /// The class that was registered last comes first.
  package static var all: [any RequestAnswering.Type] { classes.withLock { $0 } }

  /// Returns false for a class that answers no requests.
  package static func add(_ new: AnyClass) -> Bool {
    guard let answering = new as? any RequestAnswering.Type else { return false }
    classes.withLock { classes in
      classes.removeAll { $0 == new }
      classes.insert(answering, at: 0)
    }
    return true
  }

  package static func remove(_ old: AnyClass) {
    classes.withLock { classes in classes.removeAll { $0 == old } }
  }
}

extension URLProtocol {
  /// Has a subclass asked whether it wants a request, before all that were registered earlier: by every `NSURLConnection`
  /// and by `URLSession.shared`, for each request of a load. Other sessions ask the classes of their configuration alone.
  ///
  /// Takes the place of the toolchain's method, whose list only the toolchain can read. In a file that imports
  /// FoundationNetworking as well, the compiler cannot distinguish the two and says so.
  /// - Returns: false for what is no subclass of `URLProtocol`.
  @discardableResult
  public class func registerClass(_ protocolClass: AnyClass) -> Bool { RegisteredProtocols.add(protocolClass) }

  /// Takes a `registerClass(_:)` back. Loads under way are not touched.
  public class func unregisterClass(_ protocolClass: AnyClass) { RegisteredProtocols.remove(protocolClass) }
}
