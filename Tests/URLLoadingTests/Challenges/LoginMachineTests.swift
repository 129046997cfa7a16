// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import URLLoading

/// The steps that follow from a 401 and its answers (A.6, B.11; AU-04).
@Suite struct LoginMachineTests {
  private static let origin = Origin(URL(string: "http://a.test/"))
  private static let anna = URLCredential(user: "anna", password: "1", persistence: .forSession)
  private static let bert = URLCredential(user: "bert", password: "2", persistence: .forSession)

  private static func offers(_ realms: String...) throws -> [ChallengeOffer] {
    let origin = try #require(origin)
    return ChallengeOffer.offers(in: HTTPChallenge.all(in: realms.map { "Basic realm=\($0)" }), from: origin)
  }

  private func realm(_ action: LoginMachine.Action) -> String? {
    if case .ask(let question) = action { question.offer.space.realm } else { nil }
  }

  private func failures(_ action: LoginMachine.Action) -> Int? {
    if case .ask(let question) = action { question.failures } else { nil }
  }

  @Test func `nothing that can be answered: the 401 is the response`() {
    var machine = LoginMachine()
    #expect(machine.refused([]) == .deliver)
  }

  @Test func `a credential is sent, then right`() throws {
    var machine = LoginMachine()
    let offers = try Self.offers("x")
    #expect(machine.refused(offers) == .ask(.init(offer: offers[0])))
    #expect(machine.credentialDecided(.use(Self.anna), proposal: nil) == .send)
    let ticket = machine.sending(to: Self.origin, remembered: nil)
    #expect(ticket == .init(offer: offers[0], credential: Self.anna, source: .client))
    #expect(machine.accepted() == ticket)
    #expect(machine.sending(to: Self.origin, remembered: nil) == nil)
  }

  @Test func `no credential goes to another origin`() throws {
    var machine = LoginMachine()
    _ = machine.refused(try Self.offers("x"))
    _ = machine.credentialDecided(.use(Self.anna), proposal: nil)
    #expect(machine.sending(to: Origin(URL(string: "http://a.test:81/")), remembered: nil) == nil)
  }

  @Test func `a refused credential is counted and shown again`() throws {
    var machine = LoginMachine()
    let offers = try Self.offers("x")
    _ = machine.refused(offers)
    _ = machine.credentialDecided(.use(Self.anna), proposal: nil)
    _ = machine.sending(to: Self.origin, remembered: nil)
    #expect(machine.refused(offers) == .ask(.init(offer: offers[0], failures: 1, rejected: Self.anna)))
    // Default handling does not try it once more.
    #expect(machine.credentialDecided(.performDefault, proposal: Self.anna) == .deliver)
  }

  @Test func `the same credential is refused five times at most, another one more often`() throws {
    var machine = LoginMachine()
    let offers = try Self.offers("x")
    var action = machine.refused(offers)
    for turn in 1...12 {
      _ = machine.credentialDecided(.use(turn.isMultiple(of: 2) ? Self.anna : Self.bert), proposal: nil)
      action = machine.refused(offers)
      #expect(failures(action) == turn)
    }
    var count = 0
    while action != .deliver {
      _ = machine.credentialDecided(.use(Self.bert), proposal: nil)
      action = machine.refused(offers)
      count += 1
    }
    #expect(count == LoginMachine.repetitionLimit)
  }

  @Test func `a rejected space leads to the next, and is not asked about again`() throws {
    var machine = LoginMachine()
    let offers = try Self.offers("x", "y")
    #expect(realm(machine.refused(offers)) == "x")
    #expect(realm(machine.credentialDecided(.rejectSpace, proposal: nil)) == "y")
    #expect(machine.credentialDecided(.use(Self.anna), proposal: nil) == .send)
    #expect(machine.refused(offers) == .ask(.init(offer: offers[1], failures: 1, rejected: Self.anna)))
    #expect(machine.credentialDecided(.rejectSpace, proposal: nil) == .deliver)
  }

  @Test func `what was only remembered is no failure of this load's`() throws {
    var machine = LoginMachine()
    let offers = try Self.offers("x")
    let ticket = LoginMachine.Ticket(offer: offers[0], credential: Self.anna, source: .memory)
    #expect(machine.sending(to: Self.origin, remembered: ticket) == ticket)
    #expect(machine.refused(offers) == .ask(.init(offer: offers[0], failures: 0, rejected: Self.anna)))
    #expect(machine.credentialDecided(.performDefault, proposal: Self.anna) == .deliver)
    #expect(machine.sending(to: Self.origin, remembered: ticket) == nil)
  }

  @Test func `a credential that cannot be sent is none`() throws {
    var machine = LoginMachine()
    _ = machine.refused(try Self.offers("x"))
    let colon = URLCredential(user: "a:b", password: "1", persistence: .none)
    #expect(machine.credentialDecided(.use(colon), proposal: nil) == .deliver)
    #expect(machine.credentialDecided(.use(nil), proposal: nil) == .deliver)
  }

  @Test func `a memory gives back what was right at or below the same directory`() throws {
    var memory = LoginCache()
    func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
    let ticket = LoginMachine.Ticket(offer: try Self.offers("x")[0], credential: Self.anna, source: .client)
    memory.accepted(ticket, at: try url("http://a.test/one/file?q"))
    for inside in ["http://a.test/one/", "http://A.test:80/one/two/x", "http://anna@a.test/one/x"] {
      #expect(memory.ticket(for: try url(inside))?.credential == Self.anna)
    }
    // AU-01, AU-08: another directory, port, scheme, host or user.
    for outside in [
      "http://a.test/", "http://a.test/onely", "http://a.test:81/one/x", "https://a.test/one/x",
      "http://b.a.test/one/x",
      "http://bert@a.test/one/x",
    ] {
      #expect(memory.ticket(for: try url(outside)) == nil, "\(outside)")
    }
    memory.refused(ticket)
    #expect(memory.ticket(for: try url("http://a.test/one/")) == nil)
  }

  @Test func `a memory forgets credentials for one use and keeps a bounded number`() throws {
    var memory = LoginCache()
    let offer = try Self.offers("x")[0]
    let url = try #require(URL(string: "http://a.test/"))
    let once = URLCredential(user: "a", password: "b", persistence: .none)
    memory.accepted(.init(offer: offer, credential: once, source: .client), at: url)
    #expect(memory.ticket(for: url) == nil)
    for realm in 0..<(LoginCache.limit + 10) {
      let offer = try Self.offers("r\(realm)")[0]
      memory.accepted(.init(offer: offer, credential: Self.anna, source: .client), at: url)
    }
    #expect(memory.ticket(for: url)?.offer.space.realm == "r\(LoginCache.limit + 9)")
  }
}
