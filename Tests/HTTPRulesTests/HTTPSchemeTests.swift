// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

@Suite struct HTTPSchemeTests {
  @Test(arguments: [
    ("http://a.test/", HTTPScheme.http, 80), ("HTTPS://a.test/", .https, 443), ("https:", .https, 443),
  ])
  func `a scheme is known in any case, with the port of its servers`(url: String, scheme: HTTPScheme, port: Int) {
    #expect(HTTPScheme(URL(string: url)) == scheme)
    #expect(scheme.port == port)
  }

  @Test(arguments: ["ftp://a.test/", "httpx://a.test/", "/a", "ws://a.test/"])
  func `what is no scheme of HTTP is none`(url: String) {
    #expect(HTTPScheme(URL(string: url)) == nil)
    #expect(HTTPScheme(nil) == nil && HTTPScheme(name: "") == nil)
  }
}
