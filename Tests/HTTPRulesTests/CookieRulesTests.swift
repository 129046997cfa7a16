// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules

/// RFC 6265 section 5.3 and 5.4 on values alone.
@Suite struct CookieRulesTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func scope(_ url: String) throws -> CookieScope { try #require(URL(string: url).flatMap(CookieScope.init)) }

  private func set(_ text: String, at url: String, over existing: [CookieFacts] = []) throws -> CookieFacts? {
    guard let new = SetCookie(Array(text.utf8)) else { return nil }
    return CookieRules.cookie(
      from: new, at: try scope(url), existing: existing, now: Self.now,
      isPublic: { !$0.contains(".") || $0 == "co.test" })
  }

  @Test func `a cookie without Domain and Path belongs to the host and the directory`() throws {
    let cookie = try #require(try set("a=b", at: "http://x.test/d/e"))
    #expect(cookie.domain == "x.test")
    #expect(cookie.isHostOnly)
    #expect(cookie.path == "/d")
    #expect(cookie.expires == nil)
  }

  @Test(arguments: [
    ("x.test", "http://x.test/", true), (".X.Test", "http://x.test/", true), ("x.test", "http://y.x.test/", true),
    ("y.x.test", "http://x.test/", false), ("z.test", "http://x.test/", false), ("test", "http://x.test/", false),
    (".test", "http://x.test/", false), ("co.test", "http://x.co.test/", false), ("x.test.", "http://x.test/", false),
    ("0.0.1", "http://127.0.0.1/", false), ("..x.test", "http://y.x.test/", false), ("é.test", "http://x.test/", false),
  ])
  func `whose Domain is refused (CK-03, CK-09)`(domain: String, url: String, isAccepted: Bool) throws {
    let cookie = try set("a=b; Domain=\(domain)", at: url)
    #expect((cookie != nil) == isAccepted)
    #expect(cookie?.isHostOnly != true)
  }

  @Test(arguments: [
    ("localhost", "http://localhost/"), ("127.0.0.1", "http://127.0.0.1/"), ("co.test", "http://co.test/"),
    ("::1", "http://[::1]/"),
  ])
  func `an address, a single label or a public domain may set cookies for itself alone (CK-03)`(
    domain: String, url: String
  ) throws {
    let cookie = try set("a=b; Domain=\(domain)", at: url)
    #expect(cookie?.isHostOnly == true)
  }

  @Test func `over a plain channel nobody sets, replaces or hides a secure cookie (CK-05)`() throws {
    let secure = try #require(try set("a=b; Secure; Path=/p; Domain=x.test", at: "https://x.test/"))
    #expect(try set("a=b; Secure", at: "http://x.test/") == nil)
    #expect(try set("a=c; Path=/p", at: "http://x.test/", over: [secure]) == nil)
    #expect(try set("a=c; Path=/p/q", at: "http://y.x.test/", over: [secure]) == nil)
    #expect(try set("a=c; Path=/", at: "http://x.test/", over: [secure]) != nil)
    #expect(try set("d=c; Path=/p", at: "http://x.test/", over: [secure]) != nil)
    #expect(try set("a=c; Path=/p", at: "https://x.test/", over: [secure]) != nil)
  }

  @Test(arguments: [
    ("__Secure-a=b; Secure", "https://x.test/", true), ("__Secure-a=b", "https://x.test/", false),
    ("__secure-a=b", "https://x.test/", false), ("__Secure-a=b; Secure", "http://x.test/", false),
    ("__Host-a=b; Secure; Path=/", "https://x.test/d/", true), ("__Host-a=b; Secure", "https://x.test/d/", false),
    ("__Host-a=b; Secure", "https://x.test/", false), ("__Host-a=b; Path=/", "https://x.test/", false),
    ("__HOST-a=b; Secure; Path=/; Domain=x.test", "https://x.test/", false), ("__Hosta=b", "http://x.test/", true),
  ])
  func `a prefix promises how the cookie was set (CK-06)`(text: String, url: String, isAccepted: Bool) throws {
    #expect((try set(text, at: url) != nil) == isAccepted)
  }

  @Test func `Max-Age wins over Expires, and neither overflows (CK-07)`() throws {
    let date = "Expires=Fri, 31 Dec 9999 23:59:59 GMT"
    let url = "http://x.test/"
    #expect(try set("a=b; Max-Age=5; \(date)", at: url)?.expires == Self.now + 5)
    #expect(try set("a=b; Max-Age=0; \(date)", at: url)?.expires == .distantPast)
    #expect(try set("a=b; Max-Age=-1", at: url)?.expires == .distantPast)
    #expect(try set("a=b; \(date)", at: url)?.expires == Date(timeIntervalSince1970: 253_402_300_799))
    #expect(
      try set("a=b; Max-Age=9223372036854775807", at: url)?.expires == Date(timeIntervalSince1970: 253_402_300_799))
  }

  @Test func `what goes with a request`() throws {
    let cookie = try #require(try set("a=b; Path=/p; Max-Age=10", at: "https://x.test/"))
    #expect(cookie.goes(to: try scope("http://x.test/p/q"), at: Self.now))
    #expect(!cookie.goes(to: try scope("http://x.test/pq"), at: Self.now))
    #expect(!cookie.goes(to: try scope("http://y.x.test/p"), at: Self.now))
    #expect(!cookie.goes(to: try scope("http://x.test/p"), at: Self.now + 10))
    let secure = try #require(try set("a=b; Secure; Domain=x.test", at: "https://x.test/"))
    #expect(secure.goes(to: try scope("https://y.x.test/"), at: Self.now))
    #expect(!secure.goes(to: try scope("http://y.x.test/"), at: Self.now))
  }

  @Test func `a program's cookie that would break the field stays at home`() throws {
    var cookie = try #require(try set("a=b", at: "http://x.test/"))
    let here = try scope("http://x.test/")
    for value in ["x\r\nEvil: 1", "x; y=z", "x\u{7F}", "\u{0}"] {
      cookie.value = value
      #expect(!cookie.goes(to: here, at: Self.now))
    }
    cookie.value = "fine"
    cookie.name = "a=b"
    #expect(!cookie.goes(to: here, at: Self.now))
  }

  @Test func `longer paths come first, then older cookies`() throws {
    func cookie(_ name: String, _ path: String, _ age: Double) throws -> CookieFacts {
      var facts = try #require(try set("\(name)=1; Path=\(path)", at: "http://x.test/"))
      facts.created = Self.now - age
      return facts
    }
    let cookies = [try cookie("new", "/", 1), try cookie("deep", "/a/b", 0), try cookie("old", "/", 9)]
    #expect(CookieFacts.field(of: cookies) == "deep=1; old=1; new=1")
    #expect(CookieFacts.field(of: []) == nil)
  }

  @Test func `whose responses may set cookies (CK-08)`() throws {
    let here = try scope("http://x.test/")
    func accepts(_ policy: HTTPCookie.AcceptPolicy, _ main: String?) -> Bool {
      CookieRules.accepts(policy, from: here, mainDocument: main.flatMap { URL(string: $0) })
    }
    #expect(accepts(.always, "http://other.test/"))
    #expect(!accepts(.never, nil))
    #expect(accepts(.onlyFromMainDocumentDomain, nil))
    #expect(accepts(.onlyFromMainDocumentDomain, "http://x.test/page"))
    #expect(accepts(.onlyFromMainDocumentDomain, "http://www.x.test/page"))
    #expect(!accepts(.onlyFromMainDocumentDomain, "http://other.test/"))
    #expect(!accepts(.onlyFromMainDocumentDomain, "http://yx.test/"))
  }
}
