// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Scheme, host and port: whom a secret may be sent to (RFC 9110 section 4.3.1).
struct Origin: Hashable, Sendable {
  /// In lower case, `http` or `https`.
  let scheme: String
  /// In lower case, without brackets.
  let host: String
  /// The scheme's own where the URL names none.
  let port: Int

  init(scheme: String, host: String, port: Int) {
    (self.scheme, self.host, self.port) = (scheme, host, port)
  }

  /// nil for a URL without a host or with another scheme.
  init?(_ url: URL?) {
    guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}
