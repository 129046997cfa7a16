// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

/// Every place where a load stands or waits, with every event: what follows, and where the load is then.
///
/// The table is `LoadMachineTests+Table.swift`.
@Suite struct LoadMachineTests {
  typealias Event = LoadMachine.Event

  @Test(arguments: Fact.allCases) func `each column is the event that it names`(fact: Fact) throws {
    for place in Place.allCases { #expect(Fact(try Self.event(fact, number: 5, at: place), number: 5) == fact) }
  }

  @Test(arguments: Place.allCases) func `each fact leads where the row says, or nowhere`(place: Place) throws {
    let row = try Self.row(place)
    for fact in Fact.allCases {
      var machine = try Self.machine(at: place)
      let action = Self.name(machine.handle(try Self.event(fact, number: machine.number, at: place)))
      let (next, wanted) = fact.next.map { ($0, "none") } ?? row.outcomes[fact] ?? (place, "none")
      #expect(Place(machine.state) == (place == .ended ? .ended : next), "\(fact)")
      #expect(action == wanted, "\(fact)")
    }
  }

  @Test(arguments: Place.allCases) func `a second answer changes nothing`(place: Place) throws {
    let answers = Set(try Self.row(place).outcomes.keys).subtracting([.totalTimeEnded])
    for fact in answers {
      var machine = try Self.machine(at: place)
      let event = try Self.event(fact, number: machine.number, at: place)
      _ = machine.handle(event)
      let next = Place(machine.state)
      #expect(Self.name(machine.handle(event)) == "none", "\(fact)")
      #expect(Place(machine.state) == next, "\(fact)")
    }
  }

  @Test(arguments: Place.allCases) func `an answer after the end changes nothing`(place: Place) throws {
    for fact in Fact.allCases {
      var machine = try Self.machine(at: place)
      _ = machine.handle(.ended)
      #expect(Self.name(machine.handle(try Self.event(fact, number: machine.number, at: place))) == "none", "\(fact)")
      #expect(machine.isEnded)
    }
  }

  @Test(arguments: Place.allCases) func `the deadline is the load's own where no transfer runs`(place: Place) throws {
    let row = try Self.row(place)
    var machine = try Self.machine(at: place)
    #expect(machine.isWatched == row.isWatched.during)
    let action = row.outcomes[.totalTimeEnded]?.1 ?? "timeOut"
    #expect(Self.name(machine.handle(.totalTimeEnded)) == (row.isWatched.during ? action : "none"))
    machine = try Self.machine(at: place)
    _ = machine.handle(.sourceEnded)
    #expect(machine.isWatched == row.isWatched.after)
    #expect(Self.name(machine.handle(.totalTimeEnded)) == (row.isWatched.after ? action : "none"))
  }

  @Test(arguments: Place.allCases) func `a source stands still while what becomes of its response is open`(
    place: Place
  ) throws {
    #expect(try Self.machine(at: place).pausesReading == Self.row(place).pausesReading)
  }

  @Test func `a question keeps its source, and its end`() throws {
    var machine = try Self.machine(at: .redirect)
    #expect(machine.source == .transfer)
    _ = machine.handle(.sourceEnded)
    _ = machine.handle(.answered(number: machine.number, .redirect(nil)))
    #expect(machine.isComplete)
  }

  @Test func `a cut behind the head of a redirect waits for its cookies and for the answer`() throws {
    var machine = try Self.machine(at: .exchanging)
    let location = HeaderField(name: "Location", value: "/b")
    let head = ResponseHead(
      status: 302, version: "HTTP/1.1", fields: [location], contentLength: 9, decodedCodings: [])
    _ = machine.handle(.cookieStorageBegan(head))
    #expect(machine.mayFollow)
    _ = machine.handle(.sourceCut(URLError(.networkConnectionLost)))
    #expect(machine.cut == nil && machine.isWatched)
    #expect(Self.name(machine.handle(.stored)) == "judge")
    _ = machine.handle(.asked(try Self.question(.redirect)))
    #expect(machine.mayFollow && machine.cut == nil && machine.isWatched)
    _ = machine.handle(.answered(number: machine.number, .redirect(nil)))
    #expect(machine.cut?.code == .networkConnectionLost && !machine.isComplete)
  }

  @Test(arguments: Place.allCases) func `a cut behind another head waits for nothing`(place: Place) throws {
    #expect(try Self.machine(at: place).mayFollow == (place == .redirect))
  }

  @Test func `a local source and its questions are watched`() throws {
    var machine = LoadMachine()
    for event in [.started, .requestChosen, .sourceStarted(.local)] as [Event] { _ = machine.handle(event) }
    #expect(machine.isWatched)
    _ = machine.handle(.asked(try Self.question(.sink)))
    #expect(machine.isWatched)
  }

  @Test func `a question about a request that was just chosen has no source`() throws {
    var machine = try Self.machine(at: .exchanging)
    _ = machine.handle(.requestChosen)
    _ = machine.handle(.asked(try Self.question(.body)))
    #expect(machine.source == .idle)
    #expect(machine.isWatched)
  }
}
