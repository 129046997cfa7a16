// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking

/// The rules for a request whose answer is a redirect (RFC 9110 section 15.4, B.13). Pure.
package enum RedirectRules {
  /// How many redirects a load follows.
  package static let limit = 20

  private static let followed: Set<Int> = [301, 302, 303, 305, 306, 307, 308]
  /// Those after which a POST becomes a GET, and other methods stay.
  private static let likeFound: Set<Int> = [301, 302]

  /// The meaning of a response.
  package enum Outcome: Equatable {
    /// It is the final response.
    case final
    /// It may be followed with this request.
    case follow(URLRequest)
    /// It points nowhere that could be followed.
    case unusable
  }

  /// Judges a response with `status` and the value of its first Location field.
  package static func outcome(status: Int, location: String?, request: URLRequest) -> Outcome {
    // 300 offers a choice, 304 answers a condition: neither is followed. Apple's text is silent on 305 and 306; the suite that
    // the toolchain's own session has to pass follows them as 307, and their Location is never taken for a proxy.
    guard let location, !location.isEmpty, followed.contains(status), let current = request.url else { return .final }
    guard let target = resolve(location, against: current) else { return .unusable }
    return .follow(rewritten(request, for: target, status: status))
  }

  /// The target of a Location relative to the current URL; it inherits the fragment (RFC 9110 section 10.2.2). User name
  /// and password in it are a server's and go nowhere.
  private static func resolve(_ location: String, against current: URL) -> URL? {
    guard !location.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }),
      let target = URL(string: encoded(location), relativeTo: current)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme, !scheme.isEmpty
    else { return nil }
    guard HTTPScheme(name: scheme) != nil else { return target }
    // Of `http://[]/` the components have a host, "[]", and the URL has none.
    guard target.host?.isEmpty == false, (0...65_535).contains(parts.port ?? 0) else { return nil }
    (parts.user, parts.password) = (nil, nil)
    if parts.percentEncodedFragment == nil {
      parts.percentEncodedFragment = URLComponents(url: current, resolvingAgainstBaseURL: true)?.percentEncodedFragment
    }
    return parts.url.map { url in CanonicalURL.spelling(of: url.absoluteString).flatMap { URL(string: $0) } ?? url }
  }

  /// Bytes that a URL cannot have are encoded. A head's bytes are read as Latin-1, so each character is one byte.
  private static func encoded(_ location: String) -> String {
    guard location.unicodeScalars.contains(where: { !(33...126).contains($0.value) }) else { return location }
    return location.unicodeScalars.reduce(into: "") { text, scalar in
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      let digits = String(byte, radix: 16, uppercase: true)
      if (33...126).contains(scalar.value) { text.unicodeScalars.append(scalar) } else { text += "%" + digits }
    }
  }

  /// Redirects `request` to `target`: sets the method, and drops the body and the fields that the client must not send there.
  package static func rewritten(_ request: URLRequest, for target: URL, status: Int) -> URLRequest {
    var next = request
    next.url = target
    let method = request.httpMethod ?? "GET"
    // RFC 9110 section 15.4.4 lets a HEAD stay one after 303, and Apple's text is silent; the same suite wants a GET.
    let becomesGET = status == 303 ? method != "GET" : likeFound.contains(status) && method == "POST"
    if becomesGET {
      next.httpMethod = "GET"
      next.httpBody = nil
      next.httpBodyStream = nil
      removeFields(of: &next) { $0.hasPrefix("content-") || $0 == "transfer-encoding" || $0 == "expect" }
    }
    // RFC 9110 section 10.1.3: what was loaded securely is not sent in the clear.
    if HTTPScheme(request.url) == .https, HTTPScheme(target) == .http {
      removeFields(of: &next) { $0 == "referer" }
    }
    if !isSameOrigin(request.url, target) {
      removeFields(of: &next, where: staysAtOrigin)
    }
    return next
  }

  /// True if credentials for one may be sent to the other: scheme, host and port agree (RFC 9110 section 4.3.1).
  package static func isSameOrigin(_ one: URL?, _ other: URL?) -> Bool {
    func port(_ url: URL?) -> Int? { url?.port ?? HTTPScheme(url)?.port }
    return one?.scheme?.lowercased() == other?.scheme?.lowercased()
      && one?.host?.lowercased() == other?.host?.lowercased() && port(one) == port(other)
  }

  /// True if a field of this name, in lower case, says who the client is, and so goes to no other origin than it was written for.
  package static func staysAtOrigin(_ name: String) -> Bool {
    ["authorization", "cookie", "proxy-authorization", "origin"].contains(name)
  }

  private static func removeFields(of request: inout URLRequest, where matches: (String) -> Bool) {
    for name in (request.allHTTPHeaderFields ?? [:]).keys where matches(name.lowercased()) {
      request.setValue(nil, forHTTPHeaderField: name)
    }
  }
}
