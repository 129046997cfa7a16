// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import FoundationNetworking
import Testing

@testable import TransferAgent

/// The rows and columns of the table, and the events that stand for them. An event, a phase or an intent that is added does
/// not compile without its place here, nor a place without its row.
extension BackgroundAgentTaskTests {
  enum Place: CaseIterable {
    /// Suspended.
    case waiting
    case timed, asked, transferring, expiring, handingOver, refusing, challenged, ended, handedOver

    init(_ phase: AgentTask.Phase) {
      switch phase {
      case .waiting: self = .waiting
      case .timed: self = .timed
      case .asked: self = .asked
      case .transferring(.none): self = .transferring
      case .transferring(.expire): self = .expiring
      case .transferring(.handOver): self = .handingOver
      case .transferring(.refuse): self = .refusing
      case .challenged: self = .challenged
      case .ended: self = .ended
      case .handedOver: self = .handedOver
      }
    }
  }

  enum Fact: CaseIterable {
    case began, answerLost, timeCame, timeEnded, clientCame, clientLeft, suspended, resumed, stopped, allowed, repeated,
      written
    case notWritten, challenged, answered, lateAnswer, succeeded, lostPart, failed, failedForNow

    init(_ event: Event) {
      switch event {
      case .began: self = .began
      case .answerLost: self = .answerLost
      case .timeCame: self = .timeCame
      case .timeEnded: self = .timeEnded
      case .clientCame: self = .clientCame
      case .clientLeft: self = .clientLeft
      case .suspended: self = .suspended
      case .resumed: self = .resumed
      case .stopped: self = .stopped
      case .allowed: self = .allowed
      case .repeated: self = .repeated
      case .written: self = .written
      case .notWritten: self = .notWritten
      case .challenged: self = .challenged
      case .answered(challenge.key, _): self = .answered
      case .answered: self = .lateAnswer
      case .transferEnded(.success): self = .succeeded
      case .transferEnded(.lostPart): self = .lostPart
      case .transferEnded(.failure(isOfNetwork: true, _)): self = .failedForNow
      case .transferEnded(.failure(isOfNetwork: false, _)): self = .failed
      }
    }
  }

  struct Row {
    /// The facts that lead from the beginning to the place.
    var way: [Fact] = []
    /// The outcome of each fact: place and actions. All others change nothing.
    var outcomes: [Fact: (Place, [String])] = [:]
  }

  static func row(_ place: Place) throws -> Row {
    switch place {
    case .waiting: Row(outcomes: resting(at: .waiting, begins))
    case .timed:
      Row(
        way: [.began, .failedForNow],
        outcomes: resting(at: .timed, [.timeCame: (.transferring, ["load"]), .suspended: (.timed, ["save"])]))
    case .asked:
      Row(
        way: [.began],
        outcomes: resting(
          at: .asked,
          [
            .suspended: (.asked, ["save"]), .clientCame: (.asked, ["ask"]),
            .clientLeft: (.transferring, ["load", "save"]), .allowed: (.transferring, ["save", "load"]),
          ]))
    case .transferring: Row(way: [.began], outcomes: running(at: .transferring, ends: nil))
    case .expiring: Row(way: [.began, .timeEnded], outcomes: running(at: .expiring, ends: (.ended, ["expire"])))
    case .handingOver:
      Row(
        way: [.began, .stopped],
        outcomes: running(
          at: .handingOver, ends: (.handedOver, ["handOver"]),
          [.timeEnded: (.handingOver, ["stopLoad"]), .clientLeft: (.transferring, [])]))
    case .refusing:
      Row(
        way: [.began, .notWritten],
        outcomes: running(
          at: .refusing, ends: (.ended, ["refuse"]),
          [
            .timeEnded: (.refusing, ["stopLoad"]), .stopped: (.refusing, ["stopLoad"]),
            .notWritten: (.refusing, []),
          ]))
    case .challenged:
      Row(
        way: [.began, .challenged],
        outcomes: running(
          at: .challenged, ends: nil,
          [
            .timeEnded: (.challenged, ["stopLoad"]), .stopped: (.challenged, ["stopLoad"]),
            .notWritten: (.challenged, ["stopLoad"]), .clientCame: (.challenged, ["put"]),
            .clientLeft: (.transferring, ["answer"]), .answered: (.transferring, ["answer"]),
          ]))
    case .ended:
      Row(
        way: [.began, .succeeded],
        outcomes: [
          .suspended: (.ended, ["save"]), .stopped: (.ended, ["handOverNothing"]), .notWritten: (.ended, ["refuse"]),
        ])
    case .handedOver:
      Row(
        way: [.began, .stopped, .failed],
        outcomes: [
          .resumed: (.transferring, ["save", "load"]), .stopped: (.handedOver, ["handOver"]),
          .notWritten: (.handedOver, ["refuse"]),
        ])
    }
  }

  private static let begins: [Fact: (Place, [String])] = [
    .resumed: (.transferring, ["save", "load"]), .answerLost: (.ended, ["endUnanswered"]),
  ]

  /// The outcomes while no transfer runs; `others` are those of the place alone.
  private static func resting(at place: Place, _ others: [Fact: (Place, [String])]) -> [Fact: (Place, [String])] {
    let outcomes: [Fact: (Place, [String])] = [
      .timeEnded: (.ended, ["expire"]), .stopped: (.handedOver, ["handOver"]), .notWritten: (place, ["refuse"]),
    ]
    return outcomes.merging(others) { $1 }
  }

  /// The outcomes while a transfer runs. `ends`: the outcome of each failure once the client, the deadline or the disk has stopped
  /// the transfer; nil before.
  private static func running(
    at place: Place, ends: (Place, [String])?, _ others: [Fact: (Place, [String])] = [:]
  ) -> [Fact: (Place, [String])] {
    let outcomes: [Fact: (Place, [String])] = [
      .timeEnded: (.expiring, ["stopLoad"]), .stopped: (.handingOver, ["stopLoad"]),
      .notWritten: (.refusing, ["stopLoad"]), .suspended: (place, ["save", "suspendLoad"]),
      .challenged: (.challenged, ["put"]), .succeeded: (.ended, ["end"]),
      .lostPart: ends ?? (.transferring, ["dropPart", "load"]), .failed: ends ?? (.ended, ["end"]),
      .failedForNow: ends ?? (.timed, ["pause"]),
    ]
    return outcomes.merging(others) { $1 }
  }
}

// MARK: - What the table is made of

extension BackgroundAgentTaskTests {
  static func task(at place: Place) throws -> AgentTask {
    var record = try record()
    record.isSuspended = place == .waiting
    if place == .asked { record.earliestBegin = now }
    var task = AgentTask(record, isNew: true)
    for fact in try row(place).way { _ = task.handle(try event(fact), around()) }
    try #require(Place(task.phase) == place)
    return task
  }

  /// The name of an action, without what it carries.
  static func name(_ action: AgentTask.Action) -> String { String("\(action)".prefix { $0 != "(" }) }

  static let now = Date(timeIntervalSince1970: 1_000)

  static func around(isAttended: Bool = true) -> AgentTask.Surroundings {
    AgentTask.Surroundings(isAttended: isAttended, lacksCredentials: false, now: now)
  }

  static func record() throws -> TransferRecord {
    let url = try #require(URL(string: "http://a.example/"))
    let request = RequestRecord(url: url, method: "GET", fields: [:], timeout: 60, body: nil)
    return TransferRecord(key: UUID(), number: 1, request: request, upload: nil, created: now)
  }

  static let challenge = ChallengeRecord(
    key: UUID(), host: "a.example", port: 80, scheme: "http", realm: "r", method: NSURLAuthenticationMethodHTTPBasic,
    isProxy: false)

  static func event(_ fact: Fact) throws -> Event {
    switch fact {
    case .began: .began
    case .answerLost: .answerLost
    case .timeCame: .timeCame
    case .timeEnded: .timeEnded
    case .clientCame: .clientCame
    case .clientLeft: .clientLeft
    case .suspended: .suspended
    case .resumed: .resumed
    case .stopped: .stopped
    case .allowed: .allowed(nil)
    case .repeated: .repeated(try record().request)
    case .written: .written
    case .notWritten: .notWritten
    case .challenged: .challenged(challenge, known: nil)
    case .answered: .answered(challenge.key, .performDefault)
    case .lateAnswer: .answered(UUID(), .performDefault)
    case .succeeded: .transferEnded(.success)
    case .lostPart: .transferEnded(.lostPart)
    case .failed: .transferEnded(.failure(isOfNetwork: false, isInTime: true))
    case .failedForNow: .transferEnded(.failure(isOfNetwork: true, isInTime: true))
    }
  }
}
