// SPDX-License-Identifier: Apache-2.0
import FoundationNetworking
import HTTPRules

/// The decisions of one load about user names and passwords: events in, actions out. Pure.
///
/// One 401 makes one question after the other: for each protection space that it offers, the strongest first, until
/// one is answered or none is left (A.6, B.11).
struct LoginMachine {
  /// A credential that goes, or went, along with a request.
  struct Ticket: Equatable {
    /// The origin of the credential.
    enum Source: Equatable {
      /// The client, on being asked.
      case client
      /// The URL or the credential storage.
      case proposal
      /// An earlier success: sent before the server asked.
      case memory
    }

    var offer: ChallengeOffer
    var credential: URLCredential
    var source: Source
  }

  /// The question to ask.
  struct Question: Equatable {
    var offer: ChallengeOffer
    /// How often a credential was refused in this space before.
    var failures = 0
    /// The one that was refused last.
    var rejected: URLCredential?
  }

  /// The next action.
  enum Action: Equatable {
    /// Find out what to propose, then ask.
    case ask(Question)
    /// Send the request again with `ticket`.
    case send
    /// The 401 is the response.
    case deliver
  }

  /// How often in a row one and the same credential may be refused. Apple has no limit: a delegate that always gives
  /// the same answer asks for ever there. A person who types another password each time is not limited.
  static let repetitionLimit = 5
  /// How often credentials may be refused in one load.
  static let failureLimit = 100

  /// How often in a row a server may call its nonce too old before that counts as a refusal.
  static let renewalLimit = 5

  /// The ticket that the next request to its origin carries, or the last one carried.
  private(set) var ticket: Ticket?
  private var offers: [ChallengeOffer] = []
  private var refusal: (space: ChallengeSpace, credential: URLCredential, failures: Int)?
  private var repetitions = 0
  private var allFailures = 0
  private var renewals = 0
  private var rejectedSpaces: Set<ChallengeSpace> = []

  /// A request is about to go to `origin`: what it should carry. `remembered` is what was right there before.
  mutating func sending(to origin: Origin?, remembered: Ticket?) -> Ticket? {
    if let ticket, ticket.offer.space.origin == origin { return ticket }
    ticket = refusal == nil ? remembered : nil
    return ticket
  }

  /// The server answered 401 and offers these ways.
  mutating func refused(_ offers: [ChallengeOffer]) -> Action {
    let last = ticket
    ticket = nil
    if let last, renews(last, offers) { return .send }
    if let last { noteFailure(of: last, offers) }
    guard repetitions < Self.repetitionLimit, allFailures < Self.failureLimit else { return .deliver }
    self.offers = offers.filter { !rejectedSpaces.contains($0.space) }
    return next()
  }

  /// Takes the new nonce of a server for which only the old one was wrong (RFC 7616 section 3.3, `stale`).
  private mutating func renews(_ ticket: Ticket, _ offers: [ChallengeOffer]) -> Bool {
    guard renewals < Self.renewalLimit,
      let offer = offers.first(where: { $0.space == ticket.offer.space && $0.isStale })
    else { return false }
    renewals += 1
    self.ticket = Ticket(offer: offer, credential: ticket.credential, source: ticket.source)
    return true
  }

  private mutating func noteFailure(of ticket: Ticket, _ offers: [ChallengeOffer]) {
    let space = ticket.offer.space
    guard offers.contains(where: { $0.space == space }) else { return }
    let before = refusal?.space == space ? refusal : nil
    allFailures += 1
    repetitions = before?.credential == ticket.credential ? repetitions + 1 : 1
    // A remembered credential was not offered for this load, so its refusal is no failure of the user's.
    let failures = (before?.failures ?? 0) + (ticket.source == .memory ? 0 : 1)
    refusal = (space, ticket.credential, failures)
  }

  private func next() -> Action {
    guard let offer = offers.first else { return .deliver }
    guard let refusal, refusal.space == offer.space else { return .ask(Question(offer: offer)) }
    return .ask(Question(offer: offer, failures: refusal.failures, rejected: refusal.credential))
  }

  /// The client answered. `proposal` is what was proposed to it, for default handling.
  mutating func credentialDecided(_ answer: ChallengeAnswer, proposal: URLCredential?) -> Action {
    guard let offer = offers.first else { return .deliver }
    let isKnown = proposal != nil && proposal != refusal?.credential
    switch offer.leavesToNext(answer, hasProposal: isKnown) ? .rejectSpace : answer {
    case .use(let credential): return use(credential, for: offer, .client)
    case .performDefault:
      return use(proposal == refusal?.credential ? nil : proposal, for: offer, .proposal)
    case .rejectSpace:
      rejectedSpaces.insert(offer.space)
      offers.removeFirst()
      return next()
    case .cancel: return .deliver
    }
  }

  private mutating func use(_ credential: URLCredential?, for offer: ChallengeOffer, _ source: Ticket.Source) -> Action
  {
    guard let credential, offer.accepts(credential) else { return .deliver }
    ticket = Ticket(offer: offer, credential: credential, source: source)
    return .send
  }

  /// The server answered something else than 401: what the request carried was right. It goes along with no further
  /// request, unless the memory knows that it is right there, too.
  mutating func accepted() -> Ticket? {
    defer { (ticket, refusal, repetitions, renewals) = (nil, nil, 0, 0) }
    return ticket
  }
}
