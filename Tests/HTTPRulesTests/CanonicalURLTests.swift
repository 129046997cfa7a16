// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules

/// Api-facts A.7, canonicalisation.
@Suite struct CanonicalURLTests {
  @Test(arguments: [
    ("http://www.apple.com", "http://www.apple.com/"), ("HTTP://Www.Apple.COM/Path", "http://www.apple.com/Path"),
    ("https://User:Pw@Host:443?Q=A", "https://User:Pw@host:443/?Q=A"), ("http://h#Part", "http://h/#Part"),
    ("http://[FE80::1]/", "http://[fe80::1]/"),
  ]) func `scheme and host are lowered, an empty path becomes a slash`(text: String, canonical: String) throws {
    #expect(CanonicalURL.spelling(of: text) == canonical)
    #expect(CanonicalURL.spelling(of: canonical) == nil)
    let request = URLRequest(url: try #require(URL(string: text)))
    #expect(CanonicalURL.request(request).url?.absoluteString == canonical)
  }

  @Test(arguments: ["", ":", "http", "http:", "http://", "http:///", "http://@", "ftp://Host", "mailto:A@B", "HTTP:x"])
  func `what is no address of http is left alone`(text: String) {
    #expect(CanonicalURL.spelling(of: text) == nil)
  }

  @Test func `no bytes end the process`() {
    for _ in 0..<2000 {
      let bytes = Array("htpsHTPS:/@?#[]A\u{e9}".utf8)
      let text = String(decoding: (0..<Int.random(in: 0...30)).compactMap { _ in bytes.randomElement() }, as: UTF8.self)
      let once = CanonicalURL.spelling(of: text) ?? text
      #expect(CanonicalURL.spelling(of: once) == nil, "\(text)")
    }
  }
}
