// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

@Suite struct CookieScopeTests {
  private func scope(_ url: String) throws -> CookieScope? { CookieScope(try #require(URL(string: url))) }

  @Test(arguments: [
    ("http://a.test", "/"), ("http://a.test/", "/"), ("http://a.test/x", "/"), ("http://a.test/x/", "/x"),
    ("http://a.test/x/y?q=/z/", "/x"), ("http://a.test/x%2Fy/z", "/x%2Fy"), ("http://a.test//", "/"),
  ])
  func `the default path is the directory (CK-04)`(url: String, path: String) throws {
    #expect(try scope(url)?.defaultPath == path)
  }

  @Test(arguments: [
    ("/foo", "/foo", true), ("/foo/", "/foo", true), ("/foo/bar", "/foo", true), ("/foobar", "/foo", false),
    ("/foo", "/foo/", false), ("/foo/bar", "/foo/", true), ("/", "/", true), ("/x", "/", true), ("/f", "/foo", false),
    ("/Foo", "/foo", false), ("/%66oo", "/foo", false),
  ])
  func `a path holds itself and what lies below it (CK-04)`(path: String, cookie: String, holds: Bool) {
    #expect(CookieScope.path(path, isWithin: cookie) == holds)
  }

  @Test(arguments: [
    ("a.test", "a.test", true), ("x.a.test", "a.test", true), ("y.x.a.test", "a.test", true),
    ("xa.test", "a.test", false), ("a.test", "x.a.test", false), ("127.0.0.1", "0.0.1", false),
    ("127.0.0.1", "127.0.0.1", true), ("1.2.0x7f", "2.0x7f", false), ("fe80::1", "1", false), ("a.test", "", false),
    ("x.1a", "1a", true),
  ])
  func `a domain holds itself and the names below it, never an address (CK-03)`(
    host: String, domain: String, holds: Bool
  ) {
    #expect(CookieScope.host(host, isWithin: domain) == holds)
  }

  @Test func `the host is lower-case and without brackets, the path never empty`() throws {
    #expect(try scope("HTTPS://A.Test:8443")?.host == "a.test")
    #expect(try scope("HTTPS://A.Test:8443")?.path == "/")
    #expect(try scope("HTTPS://A.Test:8443")?.isSecure == true)
    #expect(try scope("http://[::1]:80/x")?.host == "::1")
  }

  @Test func `a host with a trailing dot takes no part (CK-09)`() throws {
    #expect(try scope("http://a.test./x") == nil)
    #expect(try scope("file:///x") == nil)
  }
}
