// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

// The values of header fields.
extension Target {
  /// Set-Cookie, and what is stored of it: never for a host that the server is not within.
  static let setCookie = Target(field: "set-cookie") { value in
    guard let url = URL(string: "https://www.example.com/a/b"), let scope = CookieScope(url),
      let cookie = SetCookie(latin1: value),
      let facts = CookieRules.cookie(
        from: cookie, at: scope, existing: [], now: Date(timeIntervalSince1970: 1e9), isPublic: PublicSuffix.isPublic)
    else { return }
    check(facts.domain == scope.host || facts.domain == "example.com", "a cookie for \(facts.domain)")
    check(CookieFacts.field(of: [facts]).map(isSendable) ?? true, "a Cookie field that cannot be sent")
    _ = StoredCookie(facts).map(CookieFacts.init)
  }

  /// The dates of cookies and of Last-Modified: within the years that they can name.
  static let cookieDate = Target(field: "cookie-date") { value in
    let years: Range<Int64> = -62_200_000_000..<253_402_387_200
    check(CookieDate.seconds(value.utf8).map(years.contains) ?? true, "a cookie's date out of range")
    check(IMFDate.seconds(value).map(years.contains) ?? true, "a date out of range")
  }

  /// Cache-Control, Age, Expires, Date, Last-Modified and Vary, one a line: what a cache makes of them for any policy. What
  /// may not be stored is never fresh for ever, and what is served without a question is fresh.
  static let cacheControl = Target("cache-control") { bytes in
    let names = ["Cache-Control", "Age", "Expires", "Date", "Last-Modified", "Vary", "ETag"]
    let values = bytes.split(separator: 10, omittingEmptySubsequences: false).map { line in
      String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
    }
    let fields = CacheFields(Dictionary(uniqueKeysWithValues: zip(names, values)))
    let (now, url) = (Int64(1_000_000_000), "http://example.com/")
    let freshness = Freshness(fields, status: 200, requested: now, received: now, now: now)
    check(freshness.age >= 0 && freshness.lifetime >= 0, "an age below zero")
    let asked = CacheRules.Asked(url: url, method: "GET", policy: .useProtocolCachePolicy, fields: fields)
    let provenance = CacheRules.Provenance(requested: now, received: now, selectors: [:])
    let stored = CacheRules.Stored(url: url, status: 200, fields: fields, provenance: provenance)
    if CacheRules.verdict(asked, stored, now: now) == .serve {
      let isStaleByWish = CacheDirectives(fields["cache-control"]).contains("max-stale")
      check(freshness.isFresh || isStaleByWish, "something stale is served")
    }
    let use = CacheRules.use(of: 200, fields, for: asked, isFramed: true, length: nil, limit: 1, now: now)
    check(use == .none || fields.selectors != nil, "something is stored that no request matches")
  }

  /// WWW-Authenticate, and the answer to it.
  static let challenge = Target(field: "www-authenticate") { value in
    guard let url = URL(string: "http://example.com/a"), let origin = Origin(url) else { return }
    let credential = URLCredential(user: "Mufasa", password: "Circle of Life", persistence: .none)
    var nonces = NonceCounter()
    for offer in ChallengeOffer.offers(in: HTTPChallenge.all(in: [value]), from: origin) {
      let answer = offer.authorization(credential, method: "GET", target: "/a", counting: &nonces)
      check(answer.map(isSendable) ?? true, "an unsendable answer")
    }
  }

  /// Content-Range: a part that lies within its whole.
  static let contentRange = Target(field: "content-range") { value in
    guard let range = ContentRange(value), let part = range.part else { return }
    check(part.lowerBound >= 0 && part.upperBound < range.total ?? .max, "a part outside of its whole")
  }

  /// Content-Type: type and character set in small letters, the type two tokens, and the same however the type that was read
  /// is written again.
  static let contentType = Target(field: "content-type") { value in
    guard let type = MediaType(field: value) else { return }
    check(type.name == type.name.lowercased() && type.charset == type.charset?.lowercased(), "capitals")
    check(
      type.name.split(separator: "/").map(String.init).filter(HeaderField.isToken).count == 2, "no type: \(type.name)")
    check(type.charset?.isEmpty != true, "an empty character set")
    let quoted = type.charset?.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    check(
      MediaType(field: type.name + (quoted.map { "; charset=\"\($0)\"" } ?? "")) == type, "read again, another type")
  }

  /// Location: what is followed has a host where it is HTTP, and no secrets for another origin.
  static let location = Target(field: "location") { value in
    guard let url = URL(string: "http://user:secret@example.com/a/b?q#f") else { return }
    var request = URLRequest(url: url)
    request.setValue("secret", forHTTPHeaderField: "Authorization")
    let outcome = RedirectRules.outcome(status: 302, location: value, request: request)
    guard case .follow(let next) = outcome else { return }
    let isHTTP = HTTPScheme(next.url) != nil
    check(!isHTTP || next.url?.host?.isEmpty == false, "an HTTP URL without a host")
    let isSame = RedirectRules.isSameOrigin(url, next.url)
    check(isSame || next.value(forHTTPHeaderField: "Authorization") == nil, "a secret for another origin")
    _ = try? RequestRules.transferRequest(for: next, body: nil, configuration: LoadConfiguration())
  }
}
