// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import HTTPRules

/// The space that a credential is good for: an origin, a realm there and a method (RFC 9110 section 11.5). It compares by its
/// fields, which the toolchain's URLProtectionSpace does not.
struct ChallengeSpace: Hashable, Sendable {
  var origin: Origin
  var realm: String?
  /// One of the `NSURLAuthenticationMethod` names.
  var method: String
  /// True if the origin is a proxy.
  var isProxy = false

  /// The space as users see it.
  func makeProtectionSpace() -> URLProtectionSpace {
    guard !isProxy else {
      return URLProtectionSpace(
        proxyHost: origin.host, port: origin.port, type: NSURLProtectionSpaceHTTPProxy, realm: realm,
        authenticationMethod: method)
    }
    return URLProtectionSpace(
      host: origin.host, port: origin.port, protocol: origin.scheme.rawValue, realm: realm, authenticationMethod: method
    )
  }

  /// True if a space of a user's has the same fields.
  func matches(_ space: URLProtectionSpace) -> Bool {
    space.isProxy() == isProxy && space.host.lowercased() == origin.host && space.port == origin.port
      && (isProxy || Self.scheme(of: space) == origin.scheme) && space.authenticationMethod == method
      && Self.realm(space.realm, at: origin.host, method) == realm
  }

  /// RFC 7617 section 2 wants a realm of Basic. Where a server names none its host stands for it, as on Apple's systems, and so it
  /// does in a space of a user's without one.
  static func realm(_ named: String?, at host: String, _ method: String) -> String? {
    named ?? (method == NSURLAuthenticationMethodHTTPBasic ? host : nil)
  }

  /// A program may write the scheme's name, or the toolchain's constant, whose value is its own name.
  fileprivate static func scheme(of space: URLProtectionSpace) -> HTTPScheme? {
    switch space.protocol?.lowercased() {
    case "nsurlprotectionspacehttp": .http
    case "nsurlprotectionspacehttps": .https
    case let name: name.flatMap { HTTPScheme(name: $0) }
    }
  }
}

extension ChallengeSpace {
  /// The fields of a user's space; nil for a scheme that is not spoken here.
  init?(_ space: URLProtectionSpace) {
    guard let scheme = space.isProxy() ? .http : Self.scheme(of: space) else { return nil }
    origin = Origin(scheme: scheme, host: space.host.lowercased(), port: space.port)
    (method, isProxy) = (space.authenticationMethod, space.isProxy())
    realm = Self.realm(space.realm, at: origin.host, method)
  }
}

extension URLCredentialStorage {
  /// The space with the fields of `space` under which something is stored; `space` itself where nothing is. The toolchain's
  /// spaces are equal to themselves alone.
  package func known(_ space: URLProtectionSpace) -> URLProtectionSpace {
    let fields = ChallengeSpace(space)
    return allCredentials.keys.first { $0 === space || fields?.matches($0) == true } ?? space
  }
}
