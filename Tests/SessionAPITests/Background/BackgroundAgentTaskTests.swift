// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Testing

@testable import TransferAgent

/// Every place where a task of the agent stands, with everything that can happen there: what follows, and where the task is
/// then.
///
/// The table is `BackgroundAgentTaskTests+Table.swift`.
@Suite struct BackgroundAgentTaskTests {
  typealias Event = AgentTask.Event

  @Test(arguments: Fact.allCases) func `each column is the event that it names`(fact: Fact) throws {
    #expect(Fact(try Self.event(fact)) == fact)
  }

  @Test(arguments: Place.allCases) func `each fact leads where the row says, or nowhere`(place: Place) throws {
    let row = try Self.row(place)
    for fact in Fact.allCases {
      var task = try Self.task(at: place)
      let actions = task.handle(try Self.event(fact), Self.around(isAttended: fact != .clientLeft))
      let (next, wanted) = row.outcomes[fact] ?? (place, [])
      #expect(Place(task.phase) == next, "\(fact)")
      #expect(actions.map(Self.name) == wanted, "\(fact)")
    }
  }

  @Test(arguments: Place.allCases) func `only a transfer ends, and only once`(place: Place) throws {
    let runs: [Place] = [.transferring, .expiring, .handingOver, .refusing, .challenged]
    for fact in [Fact.succeeded, .failed] {
      var task = try Self.task(at: place)
      #expect(task.handle(try Self.event(fact), Self.around()).isEmpty != runs.contains(place), "\(fact)")
      #expect(task.handle(try Self.event(fact), Self.around()).isEmpty, "\(fact)")
    }
  }

  @Test(arguments: [Place.transferring, .challenged])
  func `of several reasons to stop the weightiest holds, whatever the order`(place: Place) throws {
    let reasons: [(Fact, String)] = [(.timeEnded, "expire"), (.stopped, "handOver"), (.notWritten, "refuse")]
    for (first, one) in reasons.enumerated() {
      for (second, other) in reasons.enumerated() {
        var task = try Self.task(at: place)
        for reason in [one, other] { _ = task.handle(try Self.event(reason.0), Self.around()) }
        let actions = task.handle(try Self.event(.failed), Self.around()).map(Self.name)
        #expect(actions == [reasons[max(first, second)].1], "\(one.0), \(other.0)")
      }
    }
  }

  @Test func `a task without its credentials waits for the request, or for the settings`() throws {
    var record = try Self.record()
    record.lacksCredentials = true
    for fact in [Fact.repeated, .allowed] {
      var task = AgentTask(record, isNew: false)
      #expect(task.handle(.began, Self.around()).isEmpty && !task.wantsToLoad)
      #expect(task.handle(try Self.event(fact), Self.around()) == [.save, .load])
      #expect(task.record.lacksCredentials == nil)
      #expect(task.record.needsClient == (fact == .allowed ? true : nil))
    }
    var task = AgentTask(try Self.record(), isNew: false)
    var around = Self.around()
    around.lacksCredentials = true
    #expect(task.handle(.began, around).isEmpty && task.wantsToLoad)
    #expect(task.handle(.clientCame, Self.around()) == [.load])
  }

  @Test func `a task waits for its date, and is asked about only where there is a client`() throws {
    var record = try Self.record()
    record.earliestBegin = Self.now + 10
    for isAttended in [true, false] {
      var task = AgentTask(record, isNew: true)
      var around = Self.around(isAttended: isAttended)
      #expect(task.handle(.began, around) == [.wait(until: Self.now + 10)])
      #expect(task.handle(.timeCame, around) == [.wait(until: Self.now + 10)], "a clock was set back")
      around.now = Self.now + 10
      #expect(task.handle(.timeCame, around) == (isAttended ? [.ask] : [.load, .save]))
      if isAttended { #expect(task.handle(.allowed(nil), around) == [.save, .load]) }
      #expect(task.record.earliestBegin == nil)
    }
  }

  @Test func `without a client a challenge is answered as before, or waits, or is left to default handling`() throws {
    let known = CredentialRecord(user: "a", password: "b")
    /// Returns the actions that follow from a challenge with so many failures.
    func actions(_ failures: Int, _ known: CredentialRecord?, needsClient: Bool?) throws -> [AgentTask.Action] {
      var task = try Self.task(at: .transferring)
      task.record.needsClient = needsClient
      var challenge = Self.challenge
      challenge.failures = failures
      return task.handle(.challenged(challenge, known: known), Self.around(isAttended: false)).map { action in
        if case .answer(_, let reply) = action { .answer(Self.challenge, reply) } else { action }
      }
    }
    #expect(try actions(0, known, needsClient: true) == [.answer(Self.challenge, .use(known))])
    #expect(try actions(1, known, needsClient: true) == [])
    #expect(try actions(0, nil, needsClient: true) == [])
    #expect(try actions(0, nil, needsClient: nil) == [.answer(Self.challenge, .performDefault)])
    var task = try Self.task(at: .challenged)
    task.record.needsClient = true
    #expect(task.handle(.clientLeft, Self.around(isAttended: false)) == [])
    #expect(task.handle(.clientCame, Self.around()) == [.put(Self.challenge)])
  }

  @Test func `a credential that a client gave makes the next challenge wait for one`() throws {
    for reply in [ChallengeReply.trustServer, .use(CredentialRecord(user: "a", password: "b"))] {
      var task = try Self.task(at: .challenged)
      let actions = task.handle(.answered(Self.challenge.key, reply), Self.around())
      #expect(actions == [.save, .answer(Self.challenge, reply)])
      #expect(task.record.needsClient == true)
    }
  }

  @Test func `a request that cannot be repeated is sent when the journal has it, or refused (BG-63)`() throws {
    var record = try Self.record()
    record.request.method = "POST"
    var task = AgentTask(record, isNew: true)
    for fact in [Fact.began, .suspended, .resumed, .clientCame] {
      #expect(task.handle(try Self.event(fact), Self.around()).filter { $0 != .save }.isEmpty, "\(fact)")
    }
    var refused = task
    #expect(task.handle(.written, Self.around()) == [.load])
    #expect(task.handle(.written, Self.around()) == [])
    #expect(refused.handle(.notWritten, Self.around()) == [.refuse])
    #expect(refused.handle(.written, Self.around()) == [])
  }

  @Test func `a task from a journal has ended, or begins`() throws {
    var record = try Self.record()
    #expect(!AgentTask(record, isNew: false).isUnwritten && AgentTask(record, isNew: true).isUnwritten)
    record.outcome = TransferOutcome(order: 1, file: nil, response: nil, url: nil, failure: nil)
    #expect(AgentTask(record, isNew: false).phase == .ended)
  }

  @Test func `a client that comes learns what the server has answered`() throws {
    var task = try Self.task(at: .challenged)
    task.response = ResponseRecord(url: try Self.record().request.url, status: 401, fields: [:], isDecoded: false)
    #expect(task.handle(.clientCame, Self.around()) == [.repeatResponse, .put(Self.challenge)])
  }

  @Test func `of the requests that were sent the last ones are kept`() throws {
    var task = try Self.task(at: .transferring)
    task.note((0..<40).map { Data([$0]) }, redirects: 2)
    task.note([Data(count: 1_048_570)], redirects: 1)
    #expect(task.exchanges?.sent.map(\.count) == [1, 1, 1, 1, 1, 1, 1_048_570] && task.exchanges?.redirects == 3)
  }
}
