// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules

extension URLSessionWebSocketTask {
  /// Why a WebSocket was closed (RFC 6455 section 7.4.1): a number, of which the usual ones have names.
  ///
  /// Apple's is an open enumeration of C, with the same names: `init(rawValue:)` takes every number. So here, where the
  /// others are `unnamed(_:)`; code that is to compile on both makes and tests those by their `rawValue`, and has a `default` in
  /// a `switch` (`@unknown default` does as well, with a warning here).
  public enum CloseCode: RawRepresentable, Hashable, Sendable {
    /// It is not closed.
    case invalid
    /// It has done its service.
    case normalClosure
    /// A server goes down, or a page is left.
    case goingAway
    /// The other side broke the protocol.
    case protocolError
    /// The other side sent data of a kind that cannot be taken.
    case unsupportedData
    /// A close frame arrived without a code; never sent.
    case noStatusReceived
    /// The connection was lost; never sent.
    case abnormalClosure
    /// A text was no UTF-8.
    case invalidFramePayloadData
    /// A message broke a rule of its receiver's.
    case policyViolation
    /// A message was too large.
    case messageTooBig
    /// The server did not agree to an extension that the client needs.
    case mandatoryExtensionMissing
    /// The server failed.
    case internalServerError
    /// The TLS handshake failed; never sent.
    case tlsHandshakeFailure
    /// Another number. 1012 (service restart), 1013 (try again later), 1014 (bad gateway) and 3000 to 4999, which belong to
    /// libraries and programs, can be sent and arrive; others do neither.
    case unnamed(Int)

    private static let named: [Int: CloseCode] = {
      let all: [CloseCode] = [
        .invalid, .normalClosure, .goingAway, .protocolError, .unsupportedData, .noStatusReceived, .abnormalClosure,
        .invalidFramePayloadData, .policyViolation, .messageTooBig, .mandatoryExtensionMissing, .internalServerError,
        .tlsHandshakeFailure,
      ]
      return Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })
    }()

    /// The code of any number: the named one where there is a name. Never nil, as on Apple's systems.
    public init?(rawValue: Int) {
      self.init(rawValue)
    }

    init(_ number: Int) {
      self = Self.named[number] ?? .unnamed(number)
    }

    /// The number, as it stands in a close frame.
    public var rawValue: Int {
      switch self {
      case .invalid: 0
      case .normalClosure: 1000
      case .goingAway: 1001
      case .protocolError: 1002
      case .unsupportedData: 1003
      case .noStatusReceived: 1005
      case .abnormalClosure: 1006
      case .invalidFramePayloadData: 1007
      case .policyViolation: 1008
      case .messageTooBig: 1009
      case .mandatoryExtensionMissing: 1010
      case .internalServerError: 1011
      case .tlsHandshakeFailure: 1015
      case .unnamed(let number): number
      }
    }

    /// True if both are the same number.
    public static func == (one: CloseCode, other: CloseCode) -> Bool { one.rawValue == other.rawValue }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// A close frame of this code; one that fits into none is as one that must not be sent.
    func frame(_ reason: Data?) -> WebSocketClose {
      WebSocketClose(code: UInt16(exactly: rawValue) ?? 0, reason: reason ?? Data())
    }
  }
}
