// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transport

/// LC-06: whose turn it is at a host.
@Suite struct HostLinesTests {
  private final class Member: Equatable {
    static func == (one: Member, other: Member) -> Bool { one === other }
  }

  @Test func `who comes first begins first, and a turn is passed on`() {
    var lines = HostLines<Member>(limit: 2)
    let members = (0..<6).map { _ in Member() }
    let begun = members.map { lines.enter($0, at: "a") }
    #expect(begun == [true, true, false, false, false, false])
    for member in members.dropFirst(2) {
      let next = lines.release("a")
      #expect(next === member)
    }
    let rest = [lines.release("a"), lines.release("a")]
    #expect(rest.allSatisfy { $0 == nil })
    let again = lines.enter(members[0], at: "a")
    #expect(again)
  }

  @Test func `the order is that of entering, whatever leaves between`() {
    var lines = HostLines<Member>(limit: 1)
    let members = (0..<1000).map { _ in Member() }
    for member in members { _ = lines.enter(member, at: "a") }
    for member in members where member !== members[0] {
      if Bool.random() {
        let dropped = [lines.drop(member, at: "a"), lines.drop(member, at: "a")]
        #expect(dropped == [true, false])
      } else {
        let next = lines.release("a")
        #expect(next === member)
      }
    }
    let last = lines.release("a")
    #expect(last == nil)
  }

  @Test func `hosts have lines of their own`() {
    var lines = HostLines<Member>(limit: 1)
    let (one, other) = (Member(), Member())
    let begun = [lines.enter(one, at: "a"), lines.enter(other, at: "b")]
    #expect(begun == [true, true])
    let dropped = lines.drop(one, at: "a")
    #expect(!dropped, "it has its turn")
    let unknown = lines.release("c")
    #expect(unknown == nil)
  }
}
