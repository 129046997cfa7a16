// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Scheme, host and port: the scope of a secret (RFC 9110 section 4.3.1).
package struct Origin: Hashable, Sendable {
  package let scheme: HTTPScheme
  /// In lower case, without brackets.
  package let host: String
  /// The scheme's own where the URL names none.
  package let port: Int

  package init(scheme: HTTPScheme, host: String, port: Int) {
    (self.scheme, self.host, self.port) = (scheme, host, port)
  }

  /// nil for a URL without a host or with another scheme.
  package init?(_ url: URL?) {
    guard let url, let scheme = HTTPScheme(url), let host = url.host?.lowercased(), !host.isEmpty else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? scheme.port
  }
}
