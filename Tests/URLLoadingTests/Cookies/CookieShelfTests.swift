// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules
@testable import URLLoading

@Suite struct CookieShelfTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func facts(_ name: String, domain: String = "x.test", expires: Date? = nil) -> CookieFacts {
    CookieFacts(
      name: name, value: "1", domain: domain, isHostOnly: true, path: "/", expires: expires, created: Self.now)
  }

  private func receive(
    _ texts: [String], on entries: [CookieShelf.Entry], tick: UInt64 = 100_000
  ) throws -> CookieShelf.Changes {
    var shelf = CookieShelf(entries)
    let scope = try #require(URL(string: "http://x.test/").flatMap(CookieScope.init))
    return shelf.receive(
      texts.compactMap { SetCookie(Array($0.utf8)) }, at: scope, now: Self.now, tick: tick,
      isPublic: { !$0.contains(".") })
  }

  @Test func `the last cookie of a name counts, and keeps the age of the first`() throws {
    let old = CookieShelf.Entry(facts("a"), lastUse: 3)
    let changes = try receive(["a=2", "a=3", "b=4"], on: [old])
    #expect(changes.store.map(\.facts.value) == ["3", "4"])
    #expect(changes.store.first?.facts.created == Self.now)
    #expect(changes.remove == [])
  }

  @Test func `what changes nothing is not stored again`() throws {
    #expect(try receive(["a=1"], on: [.init(facts("a"), lastUse: 3)]) == .init())
  }

  @Test func `an expired cookie removes the one there is, and what has expired goes`() throws {
    let entries = [
      CookieShelf.Entry(facts("a"), lastUse: 1), .init(facts("b", expires: Self.now - 1), lastUse: 2),
      .init(facts("c"), lastUse: 3),
    ]
    let changes = try receive(["a=; Max-Age=0", "d=; Max-Age=0"], on: entries)
    #expect(Set(changes.remove.map(\.name)) == ["a", "b"])
    #expect(changes.store == [])
  }

  @Test func `CK-10: the fifty-first cookie of a domain drives out the one that was unused for longest`() throws {
    let entries = (0..<50).map { CookieShelf.Entry(facts("c\($0)"), lastUse: UInt64(100 - $0)) }
    let changes = try receive(["new=1"], on: entries)
    #expect(changes.remove.map(\.name) == ["c49"])
    #expect(changes.store.map(\.facts.name) == ["new"])
  }

  @Test func `CK-10: three thousand and one of all domains, too`() throws {
    let entries = (0..<3000).map { CookieShelf.Entry(facts("c", domain: "d\($0).test"), lastUse: UInt64($0 + 1)) }
    let changes = try receive(["new=1"], on: entries)
    #expect(changes.remove.map(\.domain) == ["d0.test"])
    #expect(changes.store.map(\.facts.name) == ["new"])
  }

  @Test func `CK-02: of ten thousand cookies some are looked at and fifty stay`() throws {
    let changes = try receive((0..<10_000).map { "c\($0)=1" }, on: [])
    #expect(changes.store.map(\.facts.name) == (450..<500).map { "c\($0)" })
  }
}
