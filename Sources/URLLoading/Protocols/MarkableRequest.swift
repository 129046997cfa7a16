// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking

/// A request whose copies keep what `URLProtocol.setProperty(_:forKey:in:)` put into it.
///
/// The toolchain's requests lose it with every copy, and becoming a `URLRequest` is one. A `URLRequest` copies its object by
/// the methods below, though; so one that was made from an object of this class stays of this class, through changes, through
/// `mutableCopy()` and back. What was put in stands in the toolchain's object where reflection alone can read it.
package final class MarkableRequest: NSMutableURLRequest {
  /// The same request, whose copies keep their marks from now on.
  package static func of(_ request: URLRequest) -> URLRequest {
    let object = request as NSURLRequest
    return object is MarkableRequest ? request : MarkableRequest(taking: object) as URLRequest
  }

  private convenience init(taking other: NSURLRequest) {
    self.init(
      url: other.url ?? URL(filePath: "/"), cachePolicy: other.cachePolicy, timeoutInterval: other.timeoutInterval)
    url = other.url
    mainDocumentURL = other.mainDocumentURL
    networkServiceType = other.networkServiceType
    allowsCellularAccess = other.allowsCellularAccess
    httpMethod = other.httpMethod ?? "GET"
    allHTTPHeaderFields = other.allHTTPHeaderFields
    if let stream = other.httpBodyStream { httpBodyStream = stream } else { httpBody = other.httpBody }
    httpShouldHandleCookies = other.httpShouldHandleCookies
    for (key, value) in Self.marks(in: other) { URLProtocol.setProperty(value, forKey: key, in: self) }
  }

  private static func marks(in request: NSURLRequest) -> [String: Any] {
    var mirror: Mirror? = Mirror(reflecting: request)
    while let current = mirror {
      if let child = current.children.first(where: { $0.label == "protocolProperties" }) {
        return child.value as? [String: Any] ?? [:]
      }
      mirror = current.superclassMirror
    }
    return [:]
  }

  package override func copy(with zone: NSZone? = nil) -> Any { MarkableRequest(taking: self) }
  package override func mutableCopy(with zone: NSZone? = nil) -> Any { MarkableRequest(taking: self) }
  /// An archive knows the toolchain's class.
  package override var classForCoder: AnyClass { NSMutableURLRequest.self }
}
