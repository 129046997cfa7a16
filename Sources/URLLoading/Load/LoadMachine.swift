// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// Where one load stands, and what follows from each fact: events in, actions out. Pure: no clock, lock or I/O.
///
/// Problem: a load waits in a dozen places, for answers from any thread, for other queues, for the network; a duty that
/// one of them forgets is a task that hangs until its total time is over, or longer. Choice: one state, whose payload is
/// all that is needed to continue, written in this file alone; the deadline and the pause of reading follow from the
/// state. Rejected: a bare phase beside optional properties, which can contradict one another.
///
/// Cases with large payloads are indirect: most loads have none of them, and every event copies the state.
struct LoadMachine {
  enum State {
    case created
    /// The next request is made ready; `lookup` is the number of what another queue looks up for it.
    case preparing(lookup: Int?)
    /// A source brings the response and its body.
    case exchanging(Source)
    /// A response that `next` replaces is read to its end, so that its connection can be used again.
    case draining(next: URLRequest)
    /// The load waits for an answer, while its source stands still or has nothing more to bring.
    indirect case asking(Question, Source)
    /// The cookies of a response are stored before anything else becomes of it.
    indirect case storingCookies(ResponseHead, Source)
    /// The whole response is stored before the client gets the end.
    case storingResponse
    case waitingForNetwork
    case ended
  }

  /// The source of the response and its body.
  enum Source: Equatable {
    /// A transfer, which ends by itself when the load's total time is over.
    case transfer
    /// A `LocalSource`.
    case local
    /// A stored response.
    case cache
    /// Nothing is at work: all bytes have arrived, or none were asked for yet.
    case idle
    /// The connection was lost behind the head of the response; the error of the load if that response stays.
    case cut(URLError)
  }

  /// The question that the load asked, with all that is needed to continue.
  enum Question {
    /// The client: the body of this request.
    case body(URLRequest)
    /// The client: whether to follow this redirect.
    case redirect(HTTPURLResponse)
    /// The credential storage: what to propose to the client.
    case proposal(Proposal)
    /// The client: a credential, or a decision about a server.
    case challenge(LoadChallenge, LoadChallenges.Subject)
    /// The client: where the body of this response goes.
    case sink(URLResponse)
    /// The client: whether to store the response.
    case storing(StorableResponse)
  }

  /// A question about a credential, before it is known what to propose.
  struct Proposal {
    let question: LoginMachine.Question
    let subject: LoadChallenges.Subject
    let response: HTTPURLResponse
  }

  enum Answer {
    case body(NewBody)
    case redirect(URLRequest?)
    case proposal(URLCredential?)
    case challenge(ChallengeAnswer)
    case sink(BodySink)
    case storing(CachedURLResponse?)
  }

  /// The event that has happened.
  enum Event {
    case started
    /// The load turned to its first or next request; whatever brought bytes before is left.
    case requestChosen
    /// Another queue looks something up for the request; `number` recognises its result.
    case lookupBegan
    case lookupEnded(number: Int)
    case sourceStarted(Source)
    case sourceEnded
    case sourceCut(URLError)
    /// The final response is shown to the client.
    case responseShown
    /// A request takes the place of the response whose short body is still on its way.
    case drainingBegan(next: URLRequest)
    /// The next question was put; `LoadMachine.number` is its number then.
    indirect case asked(Question)
    indirect case answered(number: Int, Answer)
    indirect case cookieStorageBegan(ResponseHead)
    /// The cookies that were being stored, are.
    case stored
    case networkLost
    case networkChanged
    case totalTimeEnded
    case ended
  }

  /// The action to take.
  indirect enum Action {
    /// Nothing: the event is late or repeated, or only the state changed.
    case none
    /// Continue what was begun: the load, or its request with what was looked up.
    case proceed
    case send(URLRequest, NewBody)
    case sendAgain
    case follow(HTTPURLResponse, URLRequest)
    /// Leave the source for this request.
    case replace(by: URLRequest)
    /// Make this the final response.
    case deliver(HTTPURLResponse)
    case open(BodySink, URLResponse)
    case ask(Proposal, URLCredential?)
    case decide(ChallengeAnswer, LoadChallenge, LoadChallenges.Subject)
    /// Judge the head, whose cookies are stored.
    case judge(ResponseHead)
    case store(CachedURLResponse, StorableResponse)
    /// End, if all has arrived.
    case finish
    case timeOut
  }

  private(set) var state = State.created
  /// True if the client has seen the final response.
  private(set) var hasResponse = false
  /// The number of the last lookup or question.
  private(set) var number = 0
}

// MARK: - Events

extension LoadMachine {
  /// Handles an event and returns the action for it. After the end no event has an action.
  mutating func handle(_ event: Event) -> Action {
    if case .ended = state { return .none }
    switch event {
    case .started: return started()
    case .requestChosen: state = .preparing(lookup: nil)
    case .lookupBegan: state = .preparing(lookup: nextNumber())
    case .lookupEnded(let number): return lookupEnded(number)
    case .sourceStarted(let source): state = .exchanging(source)
    case .sourceEnded: return sourceEnded()
    case .sourceCut(let error): sourceCut(error)
    case .responseShown: hasResponse = true
    case .drainingBegan(let next): state = .draining(next: next)
    case .asked(let question):
      number = nextNumber()
      state = .asking(question, source)
    case .answered(let number, let answer): return answered(number, answer)
    case .cookieStorageBegan(let head): state = .storingCookies(head, source)
    case .stored: return stored()
    case .networkLost: state = .waitingForNetwork
    case .networkChanged: return networkChanged()
    case .totalTimeEnded: return totalTimeEnded()
    case .ended: state = .ended
    }
    return .none
  }

  private mutating func nextNumber() -> Int {
    number += 1
    return number
  }

  private mutating func started() -> Action {
    guard case .created = state else { return .none }
    state = .preparing(lookup: nil)
    return .proceed
  }

  private mutating func lookupEnded(_ number: Int) -> Action {
    guard case .preparing(number) = state else { return .none }
    state = .preparing(lookup: nil)
    return .proceed
  }

  private mutating func sourceEnded() -> Action {
    switch state {
    case .exchanging: state = .exchanging(.idle)
    case .asking(let question, _): state = .asking(question, .idle)
    case .storingCookies(let head, _): state = .storingCookies(head, .idle)
    case .draining(let next):
      state = .exchanging(.idle)
      return .replace(by: next)
    case .created, .preparing, .storingResponse, .waitingForNetwork, .ended: break
    }
    return .none
  }

  private mutating func sourceCut(_ error: URLError) {
    switch state {
    case .exchanging: state = .exchanging(.cut(error))
    case .asking(let question, _): state = .asking(question, .cut(error))
    case .storingCookies(let head, _): state = .storingCookies(head, .cut(error))
    case .created, .preparing, .draining, .storingResponse, .waitingForNetwork, .ended: break
    }
  }

  private mutating func stored() -> Action {
    switch state {
    case .storingCookies(let head, let source):
      state = .exchanging(source)
      return .judge(head)
    case .storingResponse:
      state = .exchanging(.idle)
      return .finish
    default: return .none
    }
  }

  /// A response that is whole does not fail because its storing stands still: the load waits no more for that.
  private mutating func totalTimeEnded() -> Action {
    guard case .storingResponse = state else { return isWatched ? .timeOut : .none }
    state = .exchanging(.idle)
    return .finish
  }

  private mutating func networkChanged() -> Action {
    guard case .waitingForNetwork = state else { return .none }
    state = .preparing(lookup: nil)
    return .sendAgain
  }
}

// MARK: - Answers

extension LoadMachine {
  /// An answer to another question than the one that is open, and any answer but the first, changes nothing.
  private mutating func answered(_ number: Int, _ answer: Answer) -> Action {
    guard number == self.number, case .asking(let question, let source) = state else { return .none }
    switch (question, answer) {
    case (.body(let request), .body(let body)):
      state = .preparing(lookup: nil)
      return .send(request, body)
    case (.redirect(let response), .redirect(let request)):
      state = .exchanging(source)
      return request.map { .follow(response, $0) } ?? .deliver(response)
    case (.proposal(let proposal), .proposal(let credential)):
      state = .exchanging(source)
      return .ask(proposal, credential)
    case (.challenge(let challenge, let subject), .challenge(let answer)):
      state = .exchanging(source)
      return .decide(answer, challenge, subject)
    case (.sink(let response), .sink(let sink)):
      state = .exchanging(source)
      return .open(sink, response)
    case (.storing(let storable), .storing(let response)):
      guard let response, response.storagePolicy != .notAllowed else {
        state = .exchanging(source)
        return .finish
      }
      state = .storingResponse
      return .store(response, storable)
    default: return .none
    }
  }
}
