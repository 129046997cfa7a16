// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules

/// RFC 9111 and the policies of A.9 on values alone; `CacheCase` has the same rules over the wire.
@Suite struct CacheRulesTests {
  private static let now: Int64 = 1_700_000_000

  private func asked(
    _ fields: [String: String] = [:], policy: NSURLRequest.CachePolicy = .useProtocolCachePolicy,
    method: String = "GET", url: String = "http://a.test/x"
  ) -> CacheRules.Asked {
    CacheRules.Asked(url: url, method: method, policy: policy, fields: CacheFields(fields))
  }

  private func stored(
    _ fields: [String: String], age: Int64 = 0, request: [String: String] = [:], isOurs: Bool = true
  ) -> CacheRules.Stored {
    let fields = CacheFields(fields)
    let selectors = CacheRules.selectors(of: CacheFields(request), for: fields.selectors ?? [])
    let time = Self.now - age
    let provenance = CacheRules.Provenance(requested: time, received: time, selectors: selectors)
    return CacheRules.Stored(
      url: "http://a.test/x", status: 200, fields: fields, provenance: isOurs ? provenance : nil)
  }

  private func verdict(_ asked: CacheRules.Asked, _ stored: CacheRules.Stored?) -> CacheRules.Verdict {
    CacheRules.verdict(asked, stored, now: Self.now)
  }

  private static let policies: [NSURLRequest.CachePolicy] = [
    .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, .returnCacheDataDontLoad,
    .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData,
  ]

  @Test func `every policy with something fresh, something stale and nothing (A.9)`() {
    let fresh = stored(["Cache-Control": "max-age=60", "ETag": "\"a\""])
    let stale = stored(["Cache-Control": "max-age=60", "ETag": "\"a\""], age: 61)
    let ask = CacheRules.Verdict.validate(["If-None-Match": "\"a\""])
    let anew = CacheRules.Verdict.load(["Cache-Control": "no-cache", "Pragma": "no-cache"])
    let revalidate = CacheRules.Verdict.load(["Cache-Control": "max-age=0"])
    let table: [[CacheRules.Verdict]] = [
      [.serve, ask, .load([:])], [.load([:]), .load([:]), .load([:])], [.serve, .serve, .load([:])],
      [.serve, .serve, .fail], [anew, anew, anew], [ask, ask, revalidate],
    ]
    for (policy, row) in zip(Self.policies, table) {
      let request = asked(policy: policy)
      #expect([verdict(request, fresh), verdict(request, stale), verdict(request, nil)] == row, "\(policy)")
    }
  }

  @Test func `both validators go with a condition`() {
    let both = stored(["ETag": "W/\"a\"", "Last-Modified": "then", "Cache-Control": "no-cache"])
    #expect(verdict(asked(), both) == .validate(["If-None-Match": "W/\"a\"", "If-Modified-Since": "then"]))
  }

  @Test func `only-if-cached never asks the server`() {
    let wish = asked(["Cache-Control": "only-if-cached"])
    #expect(verdict(wish, nil) == .fail)
    #expect(verdict(wish, stored(["ETag": "\"a\""])) == .fail)
    #expect(verdict(wish, stored(["Cache-Control": "max-age=1"])) == .serve)
  }

  @Test func `max-stale counts seconds`() {
    let old = stored(["Cache-Control": "max-age=60"], age: 100)
    #expect(verdict(asked(["Cache-Control": "max-stale=40"]), old) == .serve)
    #expect(verdict(asked(["Cache-Control": "max-stale=39"]), old) == .load([:]))
    #expect(verdict(asked(["Cache-Control": "max-stale"]), old) == .serve)
    #expect(verdict(asked(["Cache-Control": "max-stale=0"]), old) == .load([:]))
    #expect(verdict(asked(["Cache-Control": "max-stale=abc"]), old) == .load([:]))
  }

  @Test func `another URL, scheme, query or method does not match`() {
    let entry = stored(["Cache-Control": "max-age=60"])
    for url in ["https://a.test/x", "http://a.test/x?", "http://a.test/X", "http://a.test/x?q"] {
      #expect(!CacheRules.matches(asked(url: url), entry))
    }
    #expect(!CacheRules.matches(asked(method: "HEAD"), entry))
    #expect(CacheRules.matches(asked(), entry))
  }

  @Test func `Vary needs to know what the first request said`() {
    let fields = ["Cache-Control": "max-age=60", "Vary": "X-A, x-b"]
    #expect(CacheRules.matches(asked(["x-a": "1"]), stored(fields, request: ["X-A": "1"])))
    #expect(!CacheRules.matches(asked(["X-A": "1", "X-B": ""]), stored(fields, request: ["X-A": "1"])))
    #expect(!CacheRules.matches(asked(), stored(fields, isOurs: false)))
    #expect(CacheRules.matches(asked(), stored(["ETag": "\"a\""], isOurs: false)))
  }

  @Test func `a program's entry is as old as its Date, and stale without one`() {
    let entry = stored(["Cache-Control": "max-age=60"], isOurs: false)
    #expect(!CacheRules.freshness(of: entry, now: Self.now).isFresh)
    #expect(verdict(asked(), entry) == .load([:]))
  }

  @Test func `which 304 confirms (CA-04)`() {
    func confirms(_ fields: [String: String], _ entry: [String: String]) -> Bool {
      CacheRules.confirms(CacheFields(fields), stored(entry))
    }
    #expect(confirms([:], ["ETag": "\"a\""]))
    #expect(confirms(["ETag": "W/\"a\""], ["ETag": "\"a\""]))
    #expect(!confirms(["ETag": "\"b\""], ["ETag": "\"a\""]))
    #expect(!confirms(["ETag": "\"b\""], ["Last-Modified": "then"]))
    #expect(confirms(["Last-Modified": "then"], ["Last-Modified": "then"]))
    #expect(!confirms(["Last-Modified": "now"], ["Last-Modified": "then"]))
  }

  @Test func `a 304 replaces fields in any case, but none that describe the body`() {
    let merged = CacheRules.merged(
      ["Etag": "\"a\"", "Content-Length": "5", "X-Old": "1"],
      with: ["ETag": "\"a\"", "Content-Length": "0", "content-type": "x/y", "X-New": "2", "Set-Cookie": "a=1"])
    #expect(merged == ["ETag": "\"a\"", "Content-Length": "5", "X-Old": "1", "X-New": "2"])
  }

  private func use(
    _ fields: [String: String], request: [String: String] = [:], status: Int = 200, isFramed: Bool = true,
    length: Int64? = nil
  ) -> CacheRules.Use {
    CacheRules.use(
      of: status, CacheFields(fields), for: asked(request), isFramed: isFramed, length: length, limit: 100,
      now: Self.now)
  }

  @Test func `a 200 without lifetime and validator is stored for those who take it at any age`() {
    #expect(use([:]) == .atAnyAge && use(["Cache-Control": "max-age=0"]) == .atAnyAge)
    #expect(use(["Cache-Control": "no-cache"]) == .atAnyAge && use(["Expires": "0"]) == .atAnyAge)
    #expect(use(["Set-Cookie": "a=b"], length: 100) == .atAnyAge)
    #expect(use(["Last-Modified": "Tue, 15 Nov 1994 12:45:26 GMT"]) == .again)
    #expect(use(["Cache-Control": "no-store"]) == .none && use([:], request: ["Cache-Control": "no-store"]) == .none)
    #expect(
      use([:], request: ["Authorization": "Bearer x"]) == .none && use([:], request: ["Range": "bytes=0-"]) == .none)
    #expect(use([:], isFramed: false) == .none && use([:], length: 101) == .none && use(["Vary": "*"]) == .none)
    #expect([201, 204, 206, 301, 404].allSatisfy { use([:], status: $0) == .none })
  }

  @Test func `what may be stored and is worth it`() {
    func mayStore(
      _ fields: [String: String], request: [String: String] = [:], status: Int = 200, isFramed: Bool = true,
      length: Int64? = nil
    ) -> Bool {
      use(fields, request: request, status: status, isFramed: isFramed, length: length) == .again
    }
    let tag = ["ETag": "\"a\""]
    #expect(mayStore(tag) && mayStore(["Cache-Control": "max-age=1"]) && mayStore(tag, status: 204))
    #expect(!mayStore([:]) && !mayStore(["Cache-Control": "max-age=0"]))
    #expect(!mayStore(tag, isFramed: false) && !mayStore(tag, status: 206) && !mayStore(tag, status: 304))
    #expect(mayStore(tag, length: 100) && !mayStore(tag, length: 101))
    #expect(!mayStore(tag, request: ["Range": "bytes=0-"]) && !mayStore(["ETag": "\"a\"", "Vary": "*"]))
    #expect(!mayStore(["ETag": "\"a\"", "Content-Range": "bytes 0-1/2"]))
  }

  @Test func `the limit is a twentieth`() {
    #expect(CacheRules.sizeLimit(memory: 4 << 20, disk: 20 << 20) == 1 << 20)
    #expect(CacheRules.sizeLimit(memory: 2000, disk: 0) == 100)
    #expect(CacheRules.sizeLimit(memory: -1, disk: 0) == 0)
  }

  @Test func `what an unsafe method makes doubtful`() throws {
    let url = try #require(URL(string: "http://a.test/x/y"))
    func urls(_ method: String, _ status: Int, _ fields: [String: String] = [:]) -> [String] {
      CacheRules.invalidated(method: method, url: url, status: status, fields: CacheFields(fields)).map(
        \.absoluteString)
    }
    #expect(
      urls("POST", 200, ["Location": "z", "Content-Location": "http://b.test/"]) == [
        url.absoluteString, "http://a.test/x/z",
      ])
    #expect(urls("BREW", 302) == [url.absoluteString])
    #expect(urls("POST", 404) == [] && urls("GET", 200) == [] && urls("HEAD", 200) == [])
  }
}
