// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Synchronization

/// The toolchain's cookie over facts that we have judged, with what the toolchain's cannot hold: when a cookie of its
/// kind was first set, and when it was last used.
///
/// The toolchain's shared store forgets on disk that a cookie is secure, and would send it in the clear after the next
/// start. Its `comment` survives, so that carries a note of ours; `CookieJar` reads it back. It is seen nowhere else.
final class StoredCookie: HTTPCookie, @unchecked Sendable {
  // Sendable: the facts never change, the counter is atomic.

  private let created: Date
  private let isNamedHTTPOnly: Bool
  /// The jar's count of header fields when this one was last sent or set.
  let lastUse: Atomic<UInt64>

  init?(_ facts: CookieFacts, lastUse: UInt64) {
    created = facts.created
    isNamedHTTPOnly = facts.isHTTPOnly
    self.lastUse = Atomic(lastUse)
    var properties: [HTTPCookiePropertyKey: Any] = [
      .name: facts.name, .value: facts.value, .path: facts.path,
      .domain: facts.isHostOnly ? facts.domain : "." + facts.domain,
      .comment: CookieNote(facts).text,
    ]
    if facts.isSecure { properties[.secure] = "TRUE" }
    if facts.isHTTPOnly { properties[Self.httpOnly] = "TRUE" }
    if let expires = facts.expires { properties[.expires] = expires } else { properties[.discard] = "TRUE" }
    super.init(properties: properties)
  }

  private static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
  static let createdKey = HTTPCookiePropertyKey("Created")

  /// nil: no cookie of today has one.
  override var comment: String? { nil }

  /// What the toolchain says of it, with our time of creation and without our note.
  override var properties: [HTTPCookiePropertyKey: Any]? {
    var properties = super.properties
    properties?[.comment] = nil
    properties?[Self.createdKey] = created.timeIntervalSinceReferenceDate
    if isNamedHTTPOnly { properties?[Self.httpOnly] = "TRUE" }
    return properties
  }
}

/// What our cookies say of themselves where the toolchain's file forgets it. Pure.
struct CookieNote: Equatable {
  private static let mark = "workbench"

  var created: Date
  var isSecure: Bool
  var isHTTPOnly: Bool

  init(_ facts: CookieFacts) {
    (created, isSecure, isHTTPOnly) = (facts.created, facts.isSecure, facts.isHTTPOnly)
  }

  /// Nil for a comment that is not ours.
  init?(_ comment: String?) {
    let words = comment?.split(separator: " ") ?? []
    guard words.count >= 2, words[0] == Self.mark, let seconds = Double(words[1]), seconds.isFinite else { return nil }
    created = Date(timeIntervalSinceReferenceDate: seconds)
    isSecure = words.contains("secure")
    isHTTPOnly = words.contains("httponly")
  }

  var text: String {
    "\(Self.mark) \(created.timeIntervalSinceReferenceDate)" + (isSecure ? " secure" : "")
      + (isHTTPOnly ? " httponly" : "")
  }
}

extension CookieFacts {
  /// What a cookie in a store is to the rules, whether we or a program put it there.
  init(_ cookie: HTTPCookie) {
    let domain = cookie.domain.lowercased()
    let isHostOnly = !domain.hasPrefix(".")
    let note = CookieNote(cookie.comment)
    let created = cookie.properties?[StoredCookie.createdKey] as? Double
    self.init(
      name: cookie.name, value: cookie.value, domain: isHostOnly ? domain : String(domain.dropFirst()),
      isHostOnly: isHostOnly, path: cookie.path, expires: cookie.expiresDate,
      isSecure: cookie.isSecure || note?.isSecure == true,
      isHTTPOnly: cookie.isHTTPOnly || note?.isHTTPOnly == true,
      created: note?.created ?? Date(timeIntervalSinceReferenceDate: created ?? 0))
  }
}
