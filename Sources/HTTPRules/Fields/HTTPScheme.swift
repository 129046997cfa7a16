// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The two schemes of HTTP (RFC 9110 section 4.2). Pure.
package enum HTTPScheme: String, Hashable, Sendable {
  case http, https

  /// The scheme of this name, in any case; nil for another one.
  package init?(name: String) {
    // Nearly every URL is written like this, and needs no copy.
    switch name {
    case "http": self = .http
    case "https": self = .https
    default: self.init(rawValue: name.lowercased())
    }
  }

  /// The scheme of a URL; nil for another one, and without a URL.
  package init?(_ url: URL?) {
    guard let name = url?.scheme else { return nil }
    self.init(name: name)
  }

  /// Where a server listens if its URL does not say.
  package var port: Int { self == .https ? 443 : 80 }
}
