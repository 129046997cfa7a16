// SPDX-License-Identifier: Apache-2.0
import HTTPRules
import Transport

/// The decisions of one load about the certificates of servers: events in, actions out. Pure.
struct PeerMachine {
  /// The action before a request.
  enum Action: Equatable {
    /// Send it to a server whose certificate is as the policy says.
    case send(PeerPolicy)
    /// Ask the client about these certificates.
    case ask([[UInt8]])
    /// Have the server show its certificates.
    case look
  }

  /// How often servers may show another certificate than the one that was decided on, in one load.
  static let changeLimit = 5

  private var decisions: [Origin: PeerPolicy] = [:]
  private var changes = 0

  /// A request shall go to `origin`. Without a client the system's judgement counts; `remembered` is what was decided
  /// for earlier loads, `shown` what the server showed last.
  mutating func wanted(
    _ origin: Origin, hasClient: Bool, remembered: PeerPolicy?, shown: [[UInt8]]?
  ) -> Action {
    if let decision = decisions[origin] { return .send(decision) }
    guard hasClient else { return .send(.verify) }
    if let remembered {
      decisions[origin] = remembered
      return .send(remembered)
    }
    return shown.map(Action.ask) ?? .look
  }

  /// The server at `origin` showed a certificate without a decision. False when it changes too often.
  mutating func shown(_ origin: Origin) -> Bool {
    if decisions.removeValue(forKey: origin) != nil { changes += 1 }
    return changes <= Self.changeLimit
  }

  /// The client decided about the certificate `leaf` of `origin`. `accepts` it as it is, or leaves it to the system's
  /// judgement; `isFinal` when the client never has a mind of its own.
  mutating func decided(_ origin: Origin, _ leaf: [UInt8], accepts: Bool, isFinal: Bool) {
    decisions[origin] = accepts || !isFinal ? PeerPolicy.only(leaf, verifies: !accepts) : .verify
  }
}
