// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

@Suite struct CookieTableTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func facts(_ name: String, domain: String = "x.test", expires: Date? = nil) -> CookieFacts {
    CookieFacts(
      name: name, value: "1", domain: domain, isHostOnly: true, path: "/", expires: expires, created: Self.now)
  }

  private func receive(
    _ texts: [String], on entries: [CookieTable.Entry], tick: UInt64 = 100_000
  ) throws -> CookieTable.Changes {
    var table = CookieTable(entries)
    let scope = try #require(URL(string: "http://x.test/").flatMap(CookieScope.init))
    return table.receive(
      texts.compactMap { SetCookie(Array($0.utf8)) }, at: scope, now: Self.now, tick: tick,
      isPublic: { !$0.contains(".") })
  }

  @Test func `the last cookie of a name counts, and keeps the age of the first`() throws {
    let old = CookieTable.Entry(facts("a"), lastUse: 3)
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
      CookieTable.Entry(facts("a"), lastUse: 1), .init(facts("b", expires: Self.now - 1), lastUse: 2),
      .init(facts("c"), lastUse: 3),
    ]
    let changes = try receive(["a=; Max-Age=0", "d=; Max-Age=0"], on: entries)
    #expect(Set(changes.remove.map(\.name)) == ["a", "b"])
    #expect(changes.store == [])
  }

  @Test func `the fifty-first cookie of a domain drives out the one that was unused for longest (CK-10)`() throws {
    let entries = (0..<50).map { CookieTable.Entry(facts("c\($0)"), lastUse: UInt64(100 - $0)) }
    let changes = try receive(["new=1"], on: entries)
    #expect(changes.remove.map(\.name) == ["c49"])
    #expect(changes.store.map(\.facts.name) == ["new"])
  }

  @Test func `of more than 3,300 of all domains those that were unused for longest go, down to 3,000 (CK-10)`() throws {
    let entries = (0..<3300).map { CookieTable.Entry(facts("c", domain: "d\($0).test"), lastUse: UInt64($0 + 1)) }
    #expect(try receive(["new=1"], on: Array(entries.dropLast())).remove == [])
    let changes = try receive(["new=1"], on: entries)
    #expect(Set(changes.remove.map(\.domain)) == Set((0...300).map { "d\($0).test" }))
    #expect(changes.store.map(\.facts.name) == ["new"])
  }

  @Test func `of ten thousand cookies some are looked at and fifty stay (CK-02)`() throws {
    let changes = try receive((0..<10_000).map { "c\($0)=1" }, on: [])
    #expect(changes.store.map(\.facts.name) == (450..<500).map { "c\($0)" })
  }

  @Test func `a request looks at the cookies of its host's domains alone`() throws {
    var table = CookieTable()
    for domain in ["x.test", "b.x.test", "ax.test", "test", "0.0.1"] {
      var facts = facts("c", domain: domain)
      facts.isHostOnly = false
      table.put(.init(facts, lastUse: 1))
    }
    func domains(_ host: String) throws -> Set<String> {
      let scope = try #require(URL(string: "http://\(host)/").flatMap(CookieScope.init))
      return Set(table.matching(scope, at: Self.now).map(\.facts.domain))
    }
    #expect(try domains("a.x.test") == ["x.test", "test"])
    #expect(try domains("b.x.test") == ["b.x.test", "x.test", "test"])
    #expect(try domains("127.0.0.1") == [])
  }

  @Test func `a table counts what it has, and knows which of it is secure`() throws {
    var table = CookieTable()
    var secure = facts("s")
    secure.isSecure = true
    table.put(.init(secure, lastUse: 1))
    let scope = try #require(URL(string: "http://x.test/").flatMap(CookieScope.init))
    let new = [SetCookie(Array("s=2".utf8))].compactMap { $0 }
    #expect(table.receive(new, at: scope, now: Self.now, tick: 2, isPublic: { _ in false }).isEmpty)
    #expect(table.remove(CookieTable.Key(secure))?.facts == secure && table.isEmpty)
    #expect(!table.receive(new, at: scope, now: Self.now, tick: 3, isPublic: { _ in false }).isEmpty)
    #expect(table.count == 1)
  }
}
