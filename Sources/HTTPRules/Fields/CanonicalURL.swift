// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking

/// The one spelling of a URL that is sent and shown: scheme and host in lower case, and a path where there was none, so
/// that `HTTP://Example.com` becomes `http://example.com/` (RFC 3986 section 6.2; Apple's guide names the path). Pure.
///
/// Every request passes here, so bytes are looked at, and a URL that is as it should be is not touched.
package enum CanonicalURL {
  /// `request` with its URL in that spelling; only http and https are changed.
  package static func request(_ request: URLRequest) -> URLRequest {
    guard let url = request.url, let spelling = spelling(of: url.absoluteString), let canonical = URL(string: spelling)
    else { return request }
    var request = request
    request.url = canonical
    return request
  }

  /// The other spelling of an absolute URL; nil when it needs none, or is no URL of http or https.
  package static func spelling(of text: String) -> String? {
    guard !isCanonical(text.utf8.span) else { return nil }
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: Array("://".utf8)) else {
      return nil
    }
    let scheme = bytes[..<colon].map(lowercased)
    guard HTTPScheme(name: String(decoding: scheme, as: UTF8.self)) != nil else { return nil }
    let start = colon + 3
    let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.endIndex
    let hostStart = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
    guard hostStart < end else { return nil }
    let host = bytes[hostStart..<end].map(lowercased)
    let hasPath = end < bytes.endIndex && bytes[end] == UInt8(ascii: "/")
    guard !hasPath || scheme[...] != bytes[..<colon] || host[...] != bytes[hostStart..<end] else { return nil }
    let path = (hasPath ? [] : [UInt8(ascii: "/")]) + bytes[end...]
    return String(decoding: scheme + bytes[colon..<hostStart] + host + path, as: UTF8.self)
  }

  /// True if scheme and authority are in lower case and a path follows, found without a copy: most URLs are like that.
  private static func isCanonical(_ text: Span<UInt8>) -> Bool {
    var slashes = 0
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "/"): slashes += 1
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
      default: break
      }
      if slashes == 3 { return true }
    }
    return false
  }

  private static let ends = Array("/?#".utf8)

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }
}
