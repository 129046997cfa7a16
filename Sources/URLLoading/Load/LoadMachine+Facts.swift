// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// The facts that follow from the state alone, and are therefore true at every place where a load waits.
extension LoadMachine {
  /// The source that brings bytes, or stands still until a question has its answer.
  var source: Source {
    switch state {
    case .exchanging(let source), .asking(_, let source), .storingCookies(_, let source): source
    case .draining: .transfer
    case .created, .preparing, .storingResponse, .waitingForNetwork, .ended: .idle
    }
  }

  /// True if bytes of a response are taken as they come.
  var isExchanging: Bool {
    switch state {
    case .exchanging, .draining: true
    default: false
    }
  }

  var isDraining: Bool { if case .draining = state { true } else { false } }

  var isEnded: Bool { if case .ended = state { true } else { false } }

  /// True if all bytes of the response have arrived, and no answer is open.
  var isComplete: Bool { if case .exchanging(.idle) = state { true } else { false } }

  /// The error of a response that was cut behind its head, once no answer is open.
  var cut: URLError? { if case .exchanging(.cut(let error)) = state { error } else { nil } }

  /// True if the response is a redirect that may still be followed, so that a cut behind its head ends nothing yet.
  var mayFollow: Bool {
    switch state {
    case .asking(.redirect, _): true
    case .storingCookies(let head, _): (300...399).contains(head.status) && head.value(of: "Location") != nil
    default: false
    }
  }

  /// True if the load itself has to see to its total time: a local source brings the response, or the load waits for an answer,
  /// an event or another queue, and no transfer runs, which would end with that time.
  var isWatched: Bool {
    switch state {
    case .exchanging(.local), .waitingForNetwork, .preparing(lookup: .some), .storingResponse: true
    case .asking(_, let source), .storingCookies(_, let source): source != .transfer
    case .created, .preparing(lookup: nil), .exchanging, .draining, .ended: false
    }
  }

  /// True if nothing is read because what becomes of the response is open. A handshake continues to read while the client
  /// decides about the server.
  var pausesReading: Bool {
    switch state {
    case .asking(.challenge(_, .peer), _), .asking(.challenge(_, .identity), _): false
    case .asking, .storingCookies: true
    default: false
    }
  }
}
