// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

/// The rows and columns of the table, and the events that stand for them. An event, a state or a question that is added does
/// not compile without its place here, nor a place without its row.
extension LoadMachineTests {
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

    init(_ question: LoadMachine.Question) {
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
    // The events while the load waits.
    case started, lookupEnded, lateLookup, sourceEnded, sourceCut, stored, networkChanged, totalTimeEnded
    case bodyGiven, redirectFollowed, redirectRefused, credentialFound, challengeAnswered, sinkGiven, responseStored
    case responseDropped, lateAnswer
    // The steps that the driver has taken.
    case requestChosen, lookupBegan, sourceStarted, responseShown, drainingBegan, asked, cookieStorageBegan, networkLost
    case ended

    /// The column of an event, when the machine's number is `number`.
    init(_ event: Event, number: Int) {
      switch event {
      case .started: self = .started
      case .requestChosen: self = .requestChosen
      case .lookupBegan: self = .lookupBegan
      case .lookupEnded(number): self = .lookupEnded
      case .lookupEnded: self = .lateLookup
      case .sourceStarted: self = .sourceStarted
      case .sourceEnded: self = .sourceEnded
      case .sourceCut: self = .sourceCut
      case .responseShown: self = .responseShown
      case .drainingBegan: self = .drainingBegan
      case .asked: self = .asked
      case .answered(number, let answer): self.init(answer)
      case .answered: self = .lateAnswer
      case .cookieStorageBegan: self = .cookieStorageBegan
      case .stored: self = .stored
      case .networkLost: self = .networkLost
      case .networkChanged: self = .networkChanged
      case .totalTimeEnded: self = .totalTimeEnded
      case .ended: self = .ended
      }
    }

    init(_ answer: LoadMachine.Answer) {
      switch answer {
      case .body: self = .bodyGiven
      case .redirect(.some): self = .redirectFollowed
      case .redirect(nil): self = .redirectRefused
      case .proposal: self = .credentialFound
      case .challenge: self = .challengeAnswered
      case .sink: self = .sinkGiven
      case .storing(.some): self = .responseStored
      case .storing(nil): self = .responseDropped
      }
    }

    /// Where the driver's facts lead from every place before the end.
    var next: Place? {
      switch self {
      case .requestChosen: .preparing
      case .lookupBegan: .lookingUp
      case .sourceStarted: .exchanging
      case .drainingBegan: .draining
      case .asked: .redirect
      case .cookieStorageBegan: .storingCookies
      case .networkLost: .network
      case .ended: .ended
      case .started, .lookupEnded, .lateLookup, .sourceEnded, .sourceCut, .stored, .networkChanged, .totalTimeEnded,
        .bodyGiven, .redirectFollowed, .redirectRefused, .credentialFound, .challengeAnswered, .sinkGiven,
        .responseStored, .responseDropped, .lateAnswer, .responseShown:
        nil
      }
    }
  }

  struct Row {
    /// The events that lead from the beginning to the place.
    var way: [Event]
    /// True if the load's own timer runs as long as a transfer does, and after it.
    var isWatched = (during: false, after: false)
    var pausesReading = false
    /// The outcome of each fact: place and action. All others change nothing, but the end ends everything.
    var outcomes: [Fact: (Place, String)] = [:]
  }

  static let exchanging: [Event] = [.started, .requestChosen, .sourceStarted(.transfer)]

  static func row(_ place: Place) throws -> Row {
    switch place {
    case .created: Row(way: [], outcomes: [.started: (.preparing, "proceed")])
    case .preparing: Row(way: [.started, .requestChosen])
    case .lookingUp:
      Row(
        way: [.started, .requestChosen, .lookupBegan], isWatched: (true, true),
        outcomes: [.lookupEnded: (.preparing, "proceed"), .totalTimeEnded: (.lookingUp, "timeOut")])
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
        way: exchanging + [.sourceEnded, .asked(try question(.storing)), .answered(number: 1, .storing(try stored()))],
        isWatched: (true, true),
        outcomes: [.stored: (.exchanging, "finish"), .totalTimeEnded: (.exchanging, "finish")])
    case .network:
      Row(
        way: exchanging + [.sourceEnded, .networkLost], isWatched: (true, true),
        outcomes: [.networkChanged: (.preparing, "sendAgain"), .totalTimeEnded: (.network, "timeOut")])
    case .ended: Row(way: exchanging + [.ended])
    }
  }

  static func row(asking place: Place) throws -> Row {
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
}

// MARK: - What the table is made of

extension LoadMachineTests {
  static func machine(at place: Place) throws -> LoadMachine {
    var machine = LoadMachine()
    for event in try row(place).way { _ = machine.handle(event) }
    try #require(Place(machine.state) == place)
    return machine
  }

  /// The name of an action, without what it carries.
  static func name(_ action: LoadMachine.Action) -> String {
    String("\(action)".prefix { $0 != "(" })
  }

  static func request() throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "http://a.example/")))
  }

  static func response() throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://a.example/"))
    return try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]))
  }

  static func stored() throws -> CachedURLResponse { CachedURLResponse(response: try response(), data: Data()) }

  static let head = ResponseHead(
    status: 200, version: "HTTP/1.1", fields: [], contentLength: 0, decodedCodings: [])

  static let origin = Origin(scheme: .http, host: "a.example", port: 80)

  static func question(_ place: Place) throws -> LoadMachine.Question {
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
      let cache = URLLoading.URLCache(memoryCapacity: 0, diskCapacity: 0)
      let provenance = CacheRules.Provenance(requested: 1, received: 2, selectors: [:])
      let url = try #require(URL(string: "http://a.example/"))
      return .storing(
        StorableResponse(store: cache, request: URLRequest(url: url), fields: .none, provenance: provenance))
    }
  }

  static func event(_ fact: Fact, number: Int, at place: Place) throws -> Event {
    switch fact {
    case .started: .started
    case .requestChosen: .requestChosen
    case .lookupBegan: .lookupBegan
    case .lookupEnded: .lookupEnded(number: number)
    case .lateLookup: .lookupEnded(number: number - 1)
    case .sourceStarted: .sourceStarted(.transfer)
    case .sourceEnded: .sourceEnded
    case .sourceCut: .sourceCut(URLError(.networkConnectionLost))
    case .responseShown: .responseShown
    case .drainingBegan: .drainingBegan(next: try request())
    case .asked: .asked(try question(.redirect))
    case .cookieStorageBegan: .cookieStorageBegan(head)
    case .stored: .stored
    case .networkLost: .networkLost
    case .networkChanged: .networkChanged
    case .totalTimeEnded: .totalTimeEnded
    case .ended: .ended
    case .lateAnswer: .answered(number: number - 1, try lateAnswer(at: place))
    case .bodyGiven, .redirectFollowed, .redirectRefused, .credentialFound, .challengeAnswered, .sinkGiven,
      .responseStored, .responseDropped:
      .answered(number: number, try answer(fact))
    }
  }

  /// Returns the answer that would fit the question of the place, if its number were right.
  private static func lateAnswer(at place: Place) throws -> LoadMachine.Answer {
    switch place {
    case .body: try answer(.bodyGiven)
    case .proposal: try answer(.credentialFound)
    case .challenge, .trust: try answer(.challengeAnswered)
    case .sink: try answer(.sinkGiven)
    case .storing: try answer(.responseDropped)
    case .redirect, .created, .preparing, .lookingUp, .exchanging, .draining, .storingCookies, .storingResponse,
      .network,
      .ended:
      try answer(.redirectRefused)
    }
  }

  private static func answer(_ fact: Fact) throws -> LoadMachine.Answer {
    switch fact {
    case .bodyGiven: .body(.none)
    case .redirectFollowed: .redirect(try request())
    case .credentialFound: .proposal(nil)
    case .challengeAnswered: .challenge(.performDefault)
    case .sinkGiven: .sink(.collect)
    case .responseStored: .storing(try stored())
    case .responseDropped: .storing(nil)
    default: .redirect(nil)
    }
  }
}
