// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The parts of a request's URL that count for cookies: a host, a path, and whether the channel is secure. Pure.
package struct CookieScope: Hashable, Sendable {
  /// Lower-case, without brackets and port.
  package var host: String
  /// As it stands in the request line, never empty.
  package var path: String
  /// True if the scheme is https.
  package var isSecure: Bool

  /// Nil for a URL that takes no part in cookies: no host, or one with a trailing dot, which would be another name for
  /// the same host (CVE-2022-27779, CVE-2026-8924).
  package init?(_ url: URL) {
    guard let host = url.host?.lowercased(), !host.isEmpty, !host.hasSuffix(".") else { return nil }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let path = url.path(percentEncoded: true)
    self.path = path.isEmpty ? "/" : path
    isSecure = HTTPScheme(url) == .https
  }

  /// The directory of the request's path (RFC 6265 section 5.1.4).
  package var defaultPath: String {
    guard path.hasPrefix("/"), let slash = path.utf8.lastIndex(of: 0x2F), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// True if the host is the domain or lies below it (section 5.1.3).
  package func isWithin(domain: String) -> Bool { Self.host(host, isWithin: domain) }

  /// True if the request's path is the cookie's or lies below it (section 5.1.4).
  package func isWithin(path cookiePath: String) -> Bool { Self.path(path, isWithin: cookiePath) }

  package static func host(_ host: String, isWithin domain: String) -> Bool {
    if host == domain { return true }
    return !domain.isEmpty && host.hasSuffix("." + domain) && !isAddress(host)
  }

  package static func path(_ path: String, isWithin cookiePath: String) -> Bool {
    let (path, cookiePath) = (path.utf8, cookiePath.utf8)
    guard path.starts(with: cookiePath) else { return false }
    if path.count == cookiePath.count || cookiePath.last == 0x2F { return true }
    return path[path.index(path.startIndex, offsetBy: cookiePath.count)] == 0x2F
  }

  /// True if the host is an IP address and no name: with a colon, or with a last label that is a number, which every
  /// resolver reads as part of an IPv4 address.
  package static func isAddress(_ host: String) -> Bool {
    if host.utf8.contains(0x3A) { return true }
    guard let last = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).last, !last.isEmpty else {
      return false
    }
    if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return last.starts(with: "0x".utf8)
      && last.dropFirst(2).allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
  }
}
