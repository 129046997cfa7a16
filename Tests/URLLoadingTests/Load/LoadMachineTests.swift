// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

/// Every place where a load stands or waits, with every event: what follows, and where the load is then.
///
/// A state or a question that is added does not compile without its place here, nor a place without its row.
@Suite struct LoadMachineTests {
  private typealias Event = LoadMachine.Event

  enum Place: CaseIterable {
    case created, preparing, lookingUp, exchanging, draining, body, redirect, proposal, challenge, trust, sink, storing
    case storingCookies, storingResponse, network, ended

    init(_ state: LoadMachine.State) {
      switch state {
      case .created: self = .created
      case .preparing(nil): self = .preparing
      case .preparing(.some): self = .lookingUp
      case .exchanging: self = .exchanging
      case .draining: self = .draining
      case .asking(let question, _): self.init(question)
      case .storingCookies: self = .storingCookies
      case .storingResponse: self = .storingResponse
      case .waitingForNetwork: self = .network
      case .ended: self = .ended
      }
    }

    private init(_ question: LoadMachine.Question) {
      switch question {
      case .body: self = .body
      case .redirect: self = .redirect
      case .proposal: self = .proposal
      case .challenge(_, .login), .challenge(_, .proxyLogin): self = .challenge
      case .challenge(_, .peer), .challenge(_, .identity): self = .trust
      case .sink: self = .sink
      case .storing: self = .storing
      }
    }
  }

  /// The columns of the table. Numbers of lookups and questions are those of the place, but in the late ones.
  enum Fact: CaseIterable {
    case started, lookupEnded, lateLookup, sourceEnded, sourceCut, stored, networkChanged, totalTimeEnded, cancelled
    case bodyGiven, redirectFollowed, redirectRefused, credentialFound, lateCredential, challengeAnswered
    case lateChallengeAnswer, sinkGiven, responseStored, responseDropped
  }

  private struct Row {
    /// What leads from the beginning to the place.
    var way: [Event]
    /// Whether the load's own timer runs as long as a transfer does, and after it.
    var isWatched = (during: false, after: false)
    var pausesReading = false
    /// What each fact leads to: place and action. All others change nothing, but the end ends everything.
    var outcomes: [Fact: (Place, String)] = [:]
  }

  private static let exchanging: [Event] = [.started, .requestChosen, .sourceStarted(.transfer)]

  private static func row(_ place: Place) throws -> Row {
    switch place {
    case .created: Row(way: [], outcomes: [.started: (.preparing, "proceed")])
    case .preparing: Row(way: [.started, .requestChosen])
    case .lookingUp:
      Row(way: [.started, .requestChosen, .lookupBegan], outcomes: [.lookupEnded: (.preparing, "proceed")])
    case .exchanging: Row(way: exchanging)
    case .draining:
      Row(
        way: exchanging + [.drainingBegan(next: try request())],
        outcomes: [.sourceEnded: (.exchanging, "replace")])
    case .body, .redirect, .proposal, .challenge, .trust, .sink, .storing: try row(asking: place)
    case .storingCookies:
      Row(
        way: exchanging + [.cookieStorageBegan(head)], isWatched: (false, true), pausesReading: true,
        outcomes: [.stored: (.exchanging, "judge")])
    case .storingResponse:
      Row(
        way: exchanging + [.sourceEnded, .asked(try question(.storing)), .answered(.storing(try stored()))],
        outcomes: [.stored: (.exchanging, "finish")])
    case .network:
      Row(
        way: exchanging + [.sourceEnded, .networkLost], isWatched: (true, true),
        outcomes: [.networkChanged: (.preparing, "sendAgain"), .totalTimeEnded: (.network, "timeOut")])
    case .ended: Row(way: exchanging + [.ended])
    }
  }

  private static func row(asking place: Place) throws -> Row {
    let outcomes: [Fact: (Place, String)] =
      switch place {
      case .body: [.bodyGiven: (.preparing, "send")]
      case .redirect: [.redirectFollowed: (.exchanging, "follow"), .redirectRefused: (.exchanging, "deliver")]
      case .proposal: [.credentialFound: (.exchanging, "ask")]
      case .challenge, .trust: [.challengeAnswered: (.exchanging, "decide")]
      case .sink: [.sinkGiven: (.exchanging, "open")]
      default: [.responseStored: (.storingResponse, "store"), .responseDropped: (.exchanging, "finish")]
      }
    return Row(
      way: exchanging + [.asked(try question(place))], isWatched: (false, true), pausesReading: place != .trust,
      outcomes: outcomes)
  }

  // MARK: - The table

  @Test(arguments: Place.allCases) func `each fact leads where the row says, or nowhere`(place: Place) throws {
    let row = try Self.row(place)
    for fact in Fact.allCases {
      var machine = try Self.machine(at: place)
      let action = Self.name(machine.handle(try Self.event(fact, number: machine.number)))
      let (next, wanted) = fact == .cancelled ? (.ended, "none") : row.outcomes[fact] ?? (place, "none")
      #expect(Place(machine.state) == next, "\(fact)")
      #expect(action == wanted, "\(fact)")
    }
  }

  @Test(arguments: Place.allCases) func `a second answer changes nothing`(place: Place) throws {
    let answers = Set(try Self.row(place).outcomes.keys).subtracting([.totalTimeEnded])
    for fact in answers {
      var machine = try Self.machine(at: place)
      let event = try Self.event(fact, number: machine.number)
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
      #expect(Self.name(machine.handle(try Self.event(fact, number: machine.number))) == "none", "\(fact)")
      #expect(machine.isEnded)
    }
  }

  @Test(arguments: Place.allCases) func `the deadline is the load's own where no transfer runs`(place: Place) throws {
    let row = try Self.row(place)
    var machine = try Self.machine(at: place)
    #expect(machine.isWatched == row.isWatched.during)
    #expect(Self.name(machine.handle(.totalTimeEnded)) == (row.isWatched.during ? "timeOut" : "none"))
    _ = machine.handle(.sourceEnded)
    #expect(machine.isWatched == row.isWatched.after)
    #expect(Self.name(machine.handle(.totalTimeEnded)) == (row.isWatched.after ? "timeOut" : "none"))
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
    _ = machine.handle(.answered(.redirect(nil)))
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
    _ = machine.handle(.answered(.redirect(nil)))
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

// MARK: - What the table is made of

extension LoadMachineTests {
  private static func machine(at place: Place) throws -> LoadMachine {
    var machine = LoadMachine()
    for event in try row(place).way { _ = machine.handle(event) }
    try #require(Place(machine.state) == place)
    return machine
  }

  /// The name of an action, without what it carries.
  private static func name(_ action: LoadMachine.Action) -> String {
    String("\(action)".prefix { $0 != "(" })
  }

  private static func request() throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "http://a.example/")))
  }

  private static func response() throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://a.example/"))
    return try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]))
  }

  private static func stored() throws -> CachedURLResponse { CachedURLResponse(response: try response(), data: Data()) }

  private static let head = ResponseHead(
    status: 200, version: "HTTP/1.1", fields: [], contentLength: 0, decodedCodings: [])

  private static let origin = Origin(scheme: .http, host: "a.example", port: 80)

  private static func question(_ place: Place) throws -> LoadMachine.Question {
    let space = ChallengeSpace(origin: origin, realm: "r", method: NSURLAuthenticationMethodHTTPBasic)
    // The first question of a load has the number 1.
    let challenge = LoadChallenge(
      number: 1, space: space.makeProtectionSpace(), proposed: nil, failures: 0, response: try response())
    let login = LoadChallenges.Subject.login(try response())
    switch place {
    case .body: return .body(try request())
    case .redirect: return .redirect(try response())
    case .proposal:
      let offers = ChallengeOffer.offers(in: HTTPChallenge.all(in: ["Basic realm=\"r\""]), from: origin)
      let offer = try #require(offers.first)
      return .proposal(.init(question: .init(offer: offer), subject: login, response: try response()))
    case .challenge: return .challenge(challenge, login)
    case .trust: return .challenge(challenge, .peer(origin, []))
    case .sink: return .sink(try response())
    default:
      let cache = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
      let record = CacheRecord(requested: 1, received: 2, selectors: [:], digest: 0)
      let url = try #require(URL(string: "http://a.example/"))
      return .storing(StorableResponse(store: .over(cache), url: url, record: record))
    }
  }

  private static func event(_ fact: Fact, number: Int) throws -> Event {
    switch fact {
    case .started: .started
    case .lookupEnded: .lookupEnded(number: number)
    case .lateLookup: .lookupEnded(number: number - 1)
    case .sourceEnded: .sourceEnded
    case .sourceCut: .sourceCut(URLError(.networkConnectionLost))
    case .stored: .stored
    case .networkChanged: .networkChanged
    case .totalTimeEnded: .totalTimeEnded
    case .cancelled: .ended
    case .bodyGiven: .answered(.body(.none))
    case .redirectFollowed: .answered(.redirect(try request()))
    case .redirectRefused: .answered(.redirect(nil))
    case .credentialFound: .answered(.proposal(number: number, nil))
    case .lateCredential: .answered(.proposal(number: number - 1, nil))
    case .challengeAnswered: .answered(.challenge(number: number, .performDefault))
    case .lateChallengeAnswer: .answered(.challenge(number: number - 1, .performDefault))
    case .sinkGiven: .answered(.sink(.collect))
    case .responseStored: .answered(.storing(try stored()))
    case .responseDropped: .answered(.storing(nil))
    }
  }
}
