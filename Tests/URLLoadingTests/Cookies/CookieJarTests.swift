// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import URLLoading

/// The rules over a store of the toolchain's.
@Suite struct CookieJarTests {
  private let storage: HTTPCookieStorage
  private let jar: CookieJar

  init() throws {
    storage = try #require(PrivateStores.makeCookieStorage())
    jar = CookieJar(storage)
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func receive(_ fields: String..., from text: String) throws {
    jar.receive(fields, from: try url(text), mainDocument: nil, policy: .always)
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
    #expect(PrivateStores.makeCookieStorage()?.cookies?.isEmpty == true)
  }

  @Test func `what the store would send and we do not: L.2`() throws {
    try receive("secure=1; Secure", "path=1; Path=/foo", from: "https://x.test/")
    #expect(storage.cookies(for: try url("http://x.test/foobar"))?.count == 2)
    #expect(jar.field(for: try url("http://x.test/foobar")) == nil)
    #expect(jar.field(for: try url("https://x.test/foo")) == "path=1; secure=1")
  }

  @Test func `0.2: the bytes that end the toolchain's parser are refused`() throws {
    try receive("=\u{D6}\u{BB}=", "ok=1", from: "http://x.test/")
    #expect(jar.field(for: try url("http://x.test/")) == "ok=1")
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
    #expect(jar.field(for: try url("http://x.test/")) == "one=2; two=1")
    try receive("one=; Max-Age=0; Path=/", from: "http://x.test/")
    #expect(jar.field(for: try url("http://x.test/")) == "two=1")
  }

  @Test func `a program's own cookie goes by the same rules`() throws {
    for (name, domain) in [("host", "x.test"), ("all", ".x.test")] {
      storage.setCookie(try #require(HTTPCookie(properties: [.name: name, .value: "1", .path: "/", .domain: domain])))
    }
    #expect(jar.field(for: try url("http://y.x.test/")) == "all=1")
    #expect(jar.field(for: try url("http://x.test/")) == "host=1; all=1")
  }

  @Test func `what the toolchain's file forgets comes back from our note`() throws {
    let now = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    let facts = CookieFacts(
      name: "a", value: "b", domain: "x.test", isHostOnly: true, path: "/", expires: now + 1e9, isSecure: true,
      isHTTPOnly: true, created: now)
    // As the toolchain reads it from its file: Secure and HttpOnly are lost, the comment is not.
    let note = CookieNote(facts).text
    let reread = try #require(
      HTTPCookie(properties: [
        .name: "a", .value: "b", .domain: "x.test", .path: "/", .expires: now + 1e9, .secure: true, .comment: note,
      ]))
    #expect(!reread.isSecure)
    #expect(CookieFacts(reread) == facts)
    #expect(CookieNote("workbench") == nil && CookieNote("a comment") == nil && CookieNote(nil) == nil)
  }

  @Test func `CK-03: a public suffix is known where libpsl is`() throws {
    try receive("a=1; Domain=co.uk", "b=1; Domain=com", from: "http://x.co.uk/")
    #expect(PublicSuffix.isPublic("com"))
    #expect(!PublicSuffix.isPublic("example.com"))
    #expect(storage.cookies?.isEmpty == PublicSuffix.hasList || storage.cookies?.count == 1)
  }
}
