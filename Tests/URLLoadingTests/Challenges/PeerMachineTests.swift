// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Transport

@testable import HTTPRules
@testable import URLLoading

/// The decisions about servers' certificates (TL-17 to TL-19).
@Suite struct PeerMachineTests {
  private static let leaf: [UInt8] = [1, 2, 3]

  private func origin(_ port: Int = 443) throws -> Origin {
    try #require(Origin(URL(string: "https://a.test:\(port)/")))
  }

  @Test func `with nobody to ask the system's judgement counts`() throws {
    var machine = PeerMachine()
    let action = machine.wanted(try origin(), hasClient: false, remembered: nil, shown: [Self.leaf])
    #expect(action == .send(.verify))
  }

  @Test func `a first server is looked at, a known one asked about`() throws {
    var machine = PeerMachine()
    let look = machine.wanted(try origin(), hasClient: true, remembered: nil, shown: nil)
    #expect(look == .look)
    let ask = machine.wanted(try origin(), hasClient: true, remembered: nil, shown: [Self.leaf])
    #expect(ask == .ask([Self.leaf]))
  }

  @Test func `a decision holds for the very certificate, host and port`() throws {
    var machine = PeerMachine()
    machine.decided(try origin(), Self.leaf, accepts: true, isFinal: false)
    let next = machine.wanted(try origin(), hasClient: true, remembered: nil, shown: [Self.leaf])
    #expect(next == .send(.only(Self.leaf, verifies: false)))
    let elsewhere = machine.wanted(try origin(444), hasClient: true, remembered: nil, shown: nil)
    #expect(elsewhere == .look)
  }

  @Test func `what is left to the system binds, too, unless there is nobody to ask for good`() throws {
    var machine = PeerMachine()
    func next(_ machine: inout PeerMachine) throws -> PeerMachine.Action {
      machine.wanted(try origin(), hasClient: true, remembered: nil, shown: nil)
    }
    machine.decided(try origin(), Self.leaf, accepts: false, isFinal: false)
    #expect(try next(&machine) == .send(.only(Self.leaf, verifies: true)))
    machine.decided(try origin(), Self.leaf, accepts: false, isFinal: true)
    #expect(try next(&machine) == .send(.verify))
  }

  @Test func `another certificate takes the decision back, a few times`() throws {
    var machine = PeerMachine()
    for turn in 0...PeerMachine.changeLimit {
      machine.decided(try origin(), Self.leaf, accepts: true, isFinal: false)
      let continues = machine.shown(try origin())
      #expect(continues == (turn < PeerMachine.changeLimit))
    }
  }

  @Test func `a memory forgets a decision when the certificate changes, and is bounded`() throws {
    var memory = PeerCache()
    let origin = try origin()
    let trust = SecTrust(CertificateChain([Self.leaf], host: origin.host), trusting: nil)
    memory.note([Self.leaf], of: origin)
    memory.note(.use(URLCredential(trust: trust)), to: TrustSpace(trust, at: origin))
    #expect(memory.decision(on: origin) == .only(Self.leaf, verifies: false))
    memory.note([Self.leaf, [4]], of: origin)
    #expect(memory.decision(on: origin) != nil)
    memory.note([[9]], of: origin)
    #expect(memory.decision(on: origin) == nil && memory.certificates(of: origin) == [[9]])
    for port in 1...PeerCache.limit { memory.note([[9]], of: try self.origin(port)) }
    #expect(memory.certificates(of: try self.origin(PeerCache.limit)) != nil)
  }
}

/// The decisions that count for all loads of a context (TL-17).
@Suite struct PeerMemoryTests {
  private func space(_ leaf: [UInt8] = [1, 2, 3], host: String = "a.test") -> TrustSpace {
    TrustSpace(
      SecTrust(CertificateChain([leaf], host: host), trusting: nil),
      at: Origin(scheme: .https, host: host, port: 443))
  }

  private func accepts(_ answer: ChallengeAnswer?) -> Bool? {
    switch answer {
    case .use(let credential)?: credential is TrustCredential
    case .performDefault?: false
    default: nil
    }
  }

  @Test func `an acceptance answers the same question, and no other`() {
    var memory = PeerCache()
    memory.note(.use(TrustCredential(space().trust)), to: space())
    #expect(accepts(memory.answer(to: space())) == true)
    #expect(accepts(memory.answer(to: space([4]))) == nil)
    #expect(accepts(memory.answer(to: space(host: "b.test"))) == nil)
  }

  @Test func `what is left to the system stays so; a credential for another certificate accepts nothing`() {
    var memory = PeerCache()
    memory.note(.performDefault, to: space())
    #expect(accepts(memory.answer(to: space())) == false)
    memory.note(.use(TrustCredential(space([4]).trust)), to: space())
    #expect(accepts(memory.answer(to: space())) == false)
  }

  @Test func `a refusal or a cancel is nothing to others`() {
    var memory = PeerCache()
    memory.note(.rejectSpace, to: space())
    memory.note(.cancel(.cancelled), to: space())
    #expect(accepts(memory.answer(to: space())) == nil)
  }
}
