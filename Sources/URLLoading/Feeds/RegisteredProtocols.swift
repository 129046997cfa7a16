// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking
import Locking

/// The subclasses of `URLProtocol` that a program registered. The toolchain's own list cannot be read from outside, so
/// `registerClass(_:)` and `unregisterClass(_:)` are replaced.
package enum RegisteredProtocols {
  private static let classes = Locked<[URLProtocol.Type]>([])

  /// The class that was registered last comes first.
  package static var all: [URLProtocol.Type] { classes.withLock { $0 } }

  fileprivate static func add(_ new: URLProtocol.Type) {
    classes.withLock { classes in
      classes.removeAll { $0 == new }
      classes.insert(new, at: 0)
    }
  }

  fileprivate static func remove(_ old: AnyClass) {
    classes.withLock { classes in classes.removeAll { $0 == old } }
  }
}

extension URLProtocol {
  /// Has a subclass asked whether it wants a request, before all that were registered earlier: by every `NSURLConnection`
  /// and by `URLSession.shared`, for each request of a load. Other sessions ask the classes of their configuration alone.
  ///
  /// Takes the place of the toolchain's method, whose list only the toolchain can read. In a file that imports
  /// FoundationNetworking as well, the compiler cannot tell the two apart and says so.
  /// - Returns: false for what is no subclass of `URLProtocol`.
  @discardableResult
  public class func registerClass(_ protocolClass: AnyClass) -> Bool {
    guard let new = protocolClass as? URLProtocol.Type else { return false }
    RegisteredProtocols.add(new)
    return true
  }

  /// Takes a `registerClass(_:)` back. Loads under way are not touched.
  public class func unregisterClass(_ protocolClass: AnyClass) {
    RegisteredProtocols.remove(protocolClass)
  }
}
