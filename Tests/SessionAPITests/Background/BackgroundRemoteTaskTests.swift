// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import FoundationNetworking
import Testing

@testable import SessionAPI

/// Every place where a task of a background session stands for the program, with everything that can happen there (BG-63).
@Suite struct BackgroundRemoteTaskTests {
  enum Place: CaseIterable {
    case new, noted, stopping, ended, forgetting, gone

    init(_ phase: RemoteTask.Phase) {
      switch phase {
      case .new: self = .new
      case .noted: self = .noted
      case .stopping: self = .stopping
      case .ended: self = .ended
      case .forgetting: self = .forgetting
      case .gone: self = .gone
      }
    }
  }

  enum Fact: CaseIterable {
    case listed, unlisted, noted, ended, stop, stopped, finished, forgotten, givenUp
  }

  /// The outcome of each fact: place and actions. All others change nothing.
  private static func row(_ place: Place, mayRepeat: Bool) -> [Fact: (Place, [String])] {
    switch place {
    case .new:
      open.merging([
        .listed: (.noted, ["settle"]), .unlisted: (.new, ["submit"]), .noted: (.noted, []),
        .stop: (.stopping, ["stop"]),
      ]) { $1 }
    case .noted:
      open.merging([
        .listed: (.noted, ["settle"]), .stop: (.stopping, ["stop"]),
        .unlisted: mayRepeat ? (.new, ["submit"]) : (.gone, ["failUnknown"]),
      ]) { $1 }
    case .stopping:
      open.merging([
        .listed: (.stopping, ["stop"]), .unlisted: (.forgetting, ["handOver", "cancel"]),
        .stopped: (.forgetting, ["handOver", "cancel"]),
      ]) { $1 }
    case .ended: [.finished: (.forgetting, ["acknowledge"])]
    case .forgetting:
      [
        .listed: (.forgetting, ["acknowledge"]), .unlisted: (.gone, []), .forgotten: (.gone, []), .givenUp: (.gone, []),
      ]
    case .gone: [:]
    }
  }

  /// What is the same as long as the end is to come.
  private static let open: [Fact: (Place, [String])] = [
    .ended: (.ended, ["deliver"]), .finished: (.forgetting, ["cancel"]), .givenUp: (.gone, ["fail"]),
  ]

  @Test(arguments: Place.allCases, [true, false])
  func `each fact leads where the row says, or nowhere (BG-63)`(place: Place, mayRepeat: Bool) throws {
    let row = Self.row(place, mayRepeat: mayRepeat)
    for fact in Fact.allCases {
      var task = try Self.task(at: place, mayRepeat: mayRepeat)
      let actions = task.handle(try Self.event(fact))
      let (next, wanted) = row[fact] ?? (place, [])
      #expect(Place(task.phase) == next, "\(fact)")
      #expect(actions.map(Self.name) == wanted, "\(fact)")
    }
  }

  /// Whatever happens in whatever order: one end, and no request that may have been answered is submitted again.
  @Test(arguments: [true, false]) func `every order of five facts has at most one end (BG-63)`(mayRepeat: Bool) throws {
    let events = try Fact.allCases.map { (fact: $0, event: try Self.event($0)) }
    let key = UUID()
    /// Goes on with each fact, `depth` times.
    func go(_ task: RemoteTask, _ depth: Int, ends: Int, mayBeSent: Bool, _ way: [Fact]) {
      for (fact, event) in events {
        var next = task
        let names = next.handle(event).map(Self.name)
        let given = ends + names.filter { ["deliver", "handOver", "fail", "failUnknown"].contains($0) }.count
        let isKnown = mayBeSent || fact == .noted || fact == .listed || fact == .ended
        if given > 1 || names.contains("submit") && (given > 0 || mayBeSent && !mayRepeat) {
          Issue.record("\(way + [fact]): \(names)")
        }
        if depth > 1 { go(next, depth - 1, ends: given, mayBeSent: isKnown, way + [fact]) }
      }
    }
    go(RemoteTask(key, mayRepeat: mayRepeat, isListed: false), 5, ends: 0, mayBeSent: false, [])
  }

  private static func task(at place: Place, mayRepeat: Bool) throws -> RemoteTask {
    var task = RemoteTask(UUID(), mayRepeat: mayRepeat, isListed: place != .new)
    let way: [Fact] =
      switch place {
      case .new, .noted: []
      case .stopping: [.stop]
      case .ended: [.ended]
      case .forgetting: [.ended, .finished]
      case .gone: [.givenUp]
      }
    for fact in way { _ = task.handle(try event(fact)) }
    try #require(Place(task.phase) == place)
    return task
  }

  /// The name of an action, or of the message that it says, without what it carries.
  private static func name(_ action: RemoteTask.Action) -> String {
    if case .say(let message) = action { return String("\(message)".prefix { $0 != "(" }) }
    return String("\(action)".prefix { $0 != "(" })
  }

  private static func event(_ fact: Fact) throws -> RemoteTask.Event {
    let url = try #require(URL(string: "http://a.example/"))
    let request = RequestRecord(url: url, method: "GET", fields: [:], timeout: 60, body: nil)
    let record = TransferRecord(
      key: UUID(), number: 1, request: request, upload: nil, created: Date(timeIntervalSince1970: 1_000))
    let outcome = TransferOutcome(order: 1, file: nil, response: nil, url: nil, failure: nil)
    return switch fact {
    case .listed: .listed(record)
    case .unlisted: .listed(nil)
    case .noted: .noted
    case .ended: .ended(outcome, TransferCounts())
    case .stop: .stop
    case .stopped: .stopped(nil)
    case .finished: .finished
    case .forgotten: .forgotten
    case .givenUp: .givenUp(URLError(.backgroundSessionWasDisconnected))
    }
  }
}
