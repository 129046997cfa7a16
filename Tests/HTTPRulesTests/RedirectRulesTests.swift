// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules

@Suite struct RedirectRulesTests {
  private func follow(
    _ status: Int, _ method: String = "GET", to location: String?, from url: String = "http://a.test/x/y#part",
    _ change: (inout URLRequest) -> Void = { _ in }
  ) throws -> RedirectRules.Outcome {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    change(&request)
    return RedirectRules.outcome(status: status, location: location, request: request)
  }

  private func request(_ outcome: RedirectRules.Outcome) throws -> URLRequest {
    guard case .follow(let request) = outcome else { throw RedirectNotFollowed(outcome: outcome) }
    return request
  }

  struct RedirectNotFollowed: Error { var outcome: RedirectRules.Outcome }

  @Test(arguments: [301, 302, 303]) func `a POST becomes a GET without body and its fields`(status: Int) throws {
    let next = try request(
      follow(status, "POST", to: "/z") {
        $0.httpBody = Data("a=1".utf8)
        $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        $0.setValue("kept", forHTTPHeaderField: "X-Own")
        $0.setValue("100-continue", forHTTPHeaderField: "Expect")
      })
    #expect(next.httpMethod == "GET")
    #expect(next.httpBody == nil)
    #expect(next.value(forHTTPHeaderField: "Content-Type") == nil)
    #expect(next.value(forHTTPHeaderField: "Expect") == nil)
    #expect(next.value(forHTTPHeaderField: "X-Own") == "kept")
  }

  @Test(arguments: [305, 306, 307, 308]) func `305 to 308 keep method and body`(status: Int) throws {
    let next = try request(follow(status, "POST", to: "/z") { $0.httpBody = Data("a=1".utf8) })
    #expect(next.httpMethod == "POST")
    #expect(next.httpBody == Data("a=1".utf8))
  }

  @Test(arguments: [301, 302, 305, 306]) func `other methods than POST are kept`(status: Int) throws {
    #expect(try request(follow(status, "PUT", to: "/z")).httpMethod == "PUT")
    #expect(try request(follow(status, "HEAD", to: "/z")).httpMethod == "HEAD")
  }

  @Test(arguments: ["HEAD", "DELETE", "PUT", "GET"]) func `a 303 turns every method into GET`(method: String) throws {
    #expect(try request(follow(303, method, to: "/z")).httpMethod == "GET")
  }

  @Test(arguments: [200, 300, 304, 309]) func `other statuses are final`(status: Int) throws {
    #expect(try follow(status, to: "/z") == .final)
  }

  @Test func `without a location the redirect itself is the response`() throws {
    #expect(try follow(302, to: nil) == .final)
    #expect(try follow(302, to: "") == .final)
  }

  @Test(arguments: [
    ("../z", "http://a.test/z#part"), ("//b.test/z", "http://b.test/z#part"), ("z#own", "http://a.test/x/z#own"),
    ("?q=1", "http://a.test/x/y?q=1#part"), ("https://b.test", "https://b.test/#part"),
    ("HTTP://B.Test:80?x", "http://b.test:80/?x#part"), ("/\u{c3}\u{bc}", "http://a.test/%C3%BC#part"),
    ("/a b", "http://a.test/a%20b#part"), ("http://user:secret@b.test/", "http://b.test/#part"),
  ]) func `a location is relative to the current URL and inherits its fragment`(location: String, expected: String)
    throws
  {
    #expect(try request(follow(302, to: location)).url?.absoluteString == expected)
  }

  @Test(arguments: ["http://[::1", "http://a:99999/", "/a\u{1}b", "http:///nowhere", "https://[]:44/", "//[]/z"])
  func `a location that is no URL is unusable`(location: String) throws {
    #expect(try follow(302, to: location) == .unusable)
  }

  @Test(arguments: ["http://b.test/", "https://a.test/", "http://a.test:81/", "http://sub.a.test/"])
  func `credentials stay behind when the origin changes`(location: String) throws {
    let next = try request(
      follow(302, to: location) {
        $0.setValue("Basic x", forHTTPHeaderField: "Authorization")
        $0.setValue("a=b", forHTTPHeaderField: "Cookie")
        $0.setValue("kept", forHTTPHeaderField: "X-Own")
      })
    #expect(next.value(forHTTPHeaderField: "Authorization") == nil)
    #expect(next.value(forHTTPHeaderField: "Cookie") == nil)
    #expect(next.value(forHTTPHeaderField: "X-Own") == "kept")
  }

  @Test func `from https to http the Referer stays behind, from http to https it does not (RD-08)`() throws {
    func referer(_ from: String, _ to: String) throws -> String? {
      try request(follow(302, to: to, from: from) { $0.setValue("x", forHTTPHeaderField: "Referer") })
        .value(forHTTPHeaderField: "Referer")
    }
    #expect(try referer("https://a.test/", "http://a.test/") == nil)
    #expect(try referer("http://a.test/", "https://a.test/") == "x")
    #expect(try referer("https://a.test/", "https://b.test/") == "x")
  }

  @Test(arguments: ["file:///etc/passwd", "data:text/plain,hi", "myapp://open?x=1"])
  func `another scheme is asked about, with its URL as it is (RD-02)`(location: String) throws {
    #expect(try request(follow(302, to: location)).url?.absoluteString == location)
  }
}
