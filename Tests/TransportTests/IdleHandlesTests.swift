// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transport

@Suite struct IdleHandlesTests {
  @Test func `a handle serves its own origin alone`() throws {
    var idle = IdleHandles()
    idle.keep(try #require(EasyHandle()), for: "http://a")
    #expect(idle.take(for: "http://b") == nil)
    #expect(idle.take(for: "http://a") != nil)
    #expect(idle.take(for: "http://a") == nil)
  }

  @Test func `a new origin finds room where many others have handles`() throws {
    var idle = IdleHandles()
    for number in 0..<200 { idle.keep(try #require(EasyHandle()), for: "http://\(number)") }
    #expect(idle.take(for: "http://199") != nil)
    #expect(idle.originCount == 63)
  }

  @Test func `one origin keeps no more than all may`() throws {
    var idle = IdleHandles()
    for _ in 0..<100 { idle.keep(try #require(EasyHandle()), for: "http://a") }
    var taken = 0
    while idle.take(for: "http://a") != nil { taken += 1 }
    #expect(taken == 64)
    #expect(idle.originCount == 0)
  }
}
