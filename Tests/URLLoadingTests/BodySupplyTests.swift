// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import URLLoading

/// Scripts of events and the orders that must follow.
@Suite struct BodySupplyTests {
  private let first = InputStream(data: Data([1]))
  private let second = InputStream(data: Data([2]))

  @Test func `data, a file and no body are sent as often as wanted`() {
    var supply = BodySupply()
    let orders = (0..<3).map { _ in supply.wanted(.whole) }
    #expect(orders == [.send, .send, .send])
  }

  @Test func `a stream is sent once; the second time the client is asked`() {
    var supply = BodySupply()
    let orders = [supply.wanted(.stream(first)), supply.wanted(.stream(first))]
    #expect(orders == [.send, .ask])
    let answer = supply.bodyProvided(.stream(second), hasCopy: true)
    #expect(answer == .sendNew(second))
  }

  @Test func `a request with another stream needs no question; one with a spent stream does, however old`() {
    var supply = BodySupply()
    let orders = [first, second, first, second].map { supply.wanted(.stream($0)) }
    #expect(orders == [.send, .send, .ask, .ask])
  }

  @Test func `a stream that the client gave is spent as well`() {
    var supply = BodySupply()
    let orders = [supply.wanted(.requested), supply.bodyProvided(.stream(first), hasCopy: false)]
    #expect(orders == [.ask, .sendNew(first)])
    let again = [supply.wanted(.requested), supply.wanted(.stream(first))]
    #expect(again == [.ask, .ask])
  }

  @Test func `the copy serves where there is one; without stream and copy the load fails`() {
    var supply = BodySupply()
    let orders = [
      supply.bodyProvided(.copy, hasCopy: true), supply.bodyProvided(.copy, hasCopy: false),
      supply.bodyProvided(.none, hasCopy: true),
    ]
    #expect(orders == [.sendCopy, .fail, .fail])
  }

  @Test func `a dead connection is forgiven once`() {
    var supply = BodySupply()
    let answers = [supply.connectionLost(), supply.connectionLost()]
    #expect(answers == [true, false])
  }
}
