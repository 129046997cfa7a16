// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Locking
import Testing

@testable import HTTPRules
@testable import URLLoading

/// The storage of cookies as programs and loads use it.
@Suite struct HTTPCookieStorageTests {
  private typealias HTTPCookieStorage = URLLoading.HTTPCookieStorage

  private let storage = HTTPCookieStorage()

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func receive(_ fields: String..., from text: String) throws {
    storage.receive(fields, from: try url(text), mainDocument: nil, policy: .always)
  }

  @Test func `what tests store is not kept in the home of whoever runs them`() throws {
    let home = try #require(ProcessInfo.processInfo.environment["WORKBENCH_TEST_HOME"])
    for folder in [FileManager.SearchPathDirectory.applicationSupportDirectory, .cachesDirectory] {
      #expect(FileManager.default.urls(for: folder, in: .userDomainMask).first?.path.hasPrefix(home) == true)
    }
  }

  @Test func `two private stores know nothing of each other`() throws {
    try receive("a=1", from: "http://x.test/")
    #expect(storage.cookies?.count == 1)
    #expect(HTTPCookieStorage().cookies?.isEmpty == true)
  }

  @Test func `the cookies for a URL are those that a request to it has, in that order`() throws {
    try receive("secure=1; Secure", "path=1; Path=/foo", from: "https://x.test/")
    #expect(storage.cookies(for: try url("http://x.test/foobar")) == [])
    #expect(storage.field(for: try url("http://x.test/foobar")) == nil)
    #expect(storage.field(for: try url("https://x.test/foo")) == "path=1; secure=1")
    #expect(storage.cookies(for: try url("https://x.test/foo"))?.map(\.name) == ["path", "secure"])
  }

  @Test func `0.2: the bytes that end the toolchain's parser are refused`() throws {
    try receive("=\u{D6}\u{BB}=", "ok=1", from: "http://x.test/")
    #expect(storage.field(for: try url("http://x.test/")) == "ok=1")
  }

  @Test func `a stored cookie shows what was set`() throws {
    try receive("a=b; Domain=x.test; Path=/p; Max-Age=60; Secure; HttpOnly", from: "https://y.x.test/")
    let cookie = try #require(storage.cookies?.first)
    #expect(cookie.domain == ".x.test")
    #expect(cookie.path == "/p")
    #expect(cookie.isSecure && cookie.isHTTPOnly && !cookie.isSessionOnly)
    #expect(cookie.comment == nil && cookie.properties?[.comment] == nil)
    let expires = try #require(cookie.expiresDate)
    #expect((1...60).contains(expires.timeIntervalSinceNow))
    try receive("s=1", from: "https://y.x.test/")
    #expect(storage.cookies?.first { $0.name == "s" }?.isSessionOnly == true)
  }

  @Test func `a replaced cookie keeps its place behind older ones`() throws {
    try receive("one=1; Path=/", from: "http://x.test/")
    try receive("two=1; Path=/", from: "http://x.test/")
    try receive("one=2; Path=/", from: "http://x.test/")
    #expect(storage.field(for: try url("http://x.test/")) == "one=2; two=1")
    try receive("one=; Max-Age=0; Path=/", from: "http://x.test/")
    #expect(storage.field(for: try url("http://x.test/")) == "two=1")
  }

  @Test func `a program's own cookie goes by the same rules`() throws {
    for (name, domain) in [("host", "x.test"), ("all", ".x.test")] {
      storage.setCookie(try #require(HTTPCookie(properties: [.name: name, .value: "1", .path: "/", .domain: domain])))
    }
    #expect(storage.field(for: try url("http://y.x.test/")) == "all=1")
    #expect(storage.field(for: try url("http://x.test/")) == "host=1; all=1")
  }

  private func cookie(_ name: String, _ more: [HTTPCookiePropertyKey: Any] = [:]) throws -> HTTPCookie {
    let properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "1", .path: "/", .domain: "x.test"]
    return try #require(HTTPCookie(properties: properties.merging(more) { $1 }))
  }

  @Test func `a program's cookie is the very object, until a response sets it anew`() throws {
    let own = try cookie("a", [.comment: "mine"])
    storage.setCookie(own)
    #expect(storage.cookies?.first === own)
    #expect(storage.cookies(for: try url("http://x.test/"))?.first === own)
    try receive("a=2; Path=/", from: "http://x.test/")
    #expect(storage.cookies?.map(\.value) == ["2"])
  }

  @Test func `an expired cookie of a program's removes the one there is`() throws {
    storage.setCookie(try cookie("a"))
    storage.setCookie(try cookie("a", [.expires: Date(timeIntervalSinceNow: -1)]))
    #expect(storage.cookies == [])
  }

  @Test func `cookies go that were stored since a date, and by their name, domain and path`() throws {
    storage.setCookie(try cookie("old"))
    let date = Date()
    for name in ["a", "b"] { storage.setCookie(try cookie(name)) }
    storage.deleteCookie(try cookie("a", [.value: "another"]))
    storage.deleteCookie(try cookie("b", [.path: "/elsewhere"]))
    #expect(storage.cookies?.map(\.name) == ["old", "b"])
    storage.removeCookies(since: date)
    #expect(storage.cookies?.map(\.name) == ["old"])
  }

  @Test func `a program stores what a response set as far as the policy and the domains allow`() throws {
    let cookies = [try cookie("a"), try cookie("b", [.domain: ".y.test"])]
    storage.cookieAcceptPolicy = .never
    storage.setCookies(cookies, for: try url("http://x.test/"), mainDocumentURL: nil)
    #expect(storage.cookies == [])
    storage.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    storage.setCookies(cookies, for: try url("http://x.test/"), mainDocumentURL: try url("http://z.test/"))
    #expect(storage.cookies == [])
    storage.setCookies(cookies, for: try url("http://x.test/"), mainDocumentURL: try url("http://www.x.test/"))
    #expect(storage.cookies?.map(\.name) == ["a"])
  }

  @Test func `each change is told once, and what changes nothing is not`() throws {
    let names = Locked<[NSNotification.Name]>([])
    let observers = [NSNotification.Name.NSHTTPCookieManagerCookiesChanged, .NSHTTPCookieManagerAcceptPolicyChanged].map
    {
      NotificationCenter.default.addObserver(forName: $0, object: storage, queue: nil) { note in
        names.withLock { $0.append(note.name) }
      }
    }
    for _ in 0..<2 { storage.setCookie(try cookie("a")) }
    storage.cookieAcceptPolicy = .always
    storage.cookieAcceptPolicy = .never
    for _ in 0..<2 { storage.deleteCookie(try cookie("a")) }
    observers.forEach(NotificationCenter.default.removeObserver)
    #expect(
      names.withLock { $0 } == [
        .NSHTTPCookieManagerCookiesChanged, .NSHTTPCookieManagerAcceptPolicyChanged, .NSHTTPCookieManagerCookiesChanged,
      ])
  }

  private final class OwnStorage: HTTPCookieStorage, @unchecked Sendable {
    // Sendable: as its superclass.
    override func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
      super.setCookies(cookies.filter { $0.name != "unwanted" }, for: url, mainDocumentURL: mainDocumentURL)
    }
  }

  @Test func `a program's own class is given what the rules take, and what is to be removed`() throws {
    let storage = OwnStorage()
    func receive(_ fields: String...) throws {
      storage.receive(fields, from: try url("http://x.test/"), mainDocument: nil, policy: nil)
    }
    try receive("a=1", "unwanted=1", "b=1; Domain=y.test", "s=1; Secure")
    #expect(storage.field(for: try url("http://x.test/")) == "a=1")
    try receive("a=; Max-Age=0")
    #expect(storage.cookies == [])
  }

  @Test func `a cookie says for which requests of other sites it is`() throws {
    try receive("a=1; SameSite=Strict", "b=1; SameSite=None; Secure", from: "https://x.test/")
    #expect(storage.cookies?.map(\.sameSitePolicy) == [.sameSiteStrict, nil])
  }

  @Test func `cookies come in the order that is wanted`() throws {
    for name in ["b", "c", "a"] { storage.setCookie(try cookie(name)) }
    #expect(storage.cookies?.map(\.name) == ["b", "c", "a"])
    let order = NSSortDescriptor(keyPath: \HTTPCookie.name, ascending: true)
    #expect(storage.sortedCookies(using: [order]).map(\.name) == ["a", "b", "c"])
  }

  @Test func `a group's storage is one object, in its own file`() {
    let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: "tests")
    #expect(storage === HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: "tests"))
    #expect(
      storage !== HTTPCookieStorage.shared
        && storage !== HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: "x"))
  }

  @Test func `a public suffix is known where libpsl is (CK-03)`() throws {
    try receive("a=1; Domain=co.uk", "b=1; Domain=com", from: "http://x.co.uk/")
    #expect(PublicSuffix.isPublic("com"))
    #expect(!PublicSuffix.isPublic("example.com"))
    #expect(storage.cookies?.isEmpty == PublicSuffix.hasList || storage.cookies?.count == 1)
  }
}
