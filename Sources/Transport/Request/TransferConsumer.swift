// SPDX-License-Identifier: Apache-2.0

/// A consumer's answer to what it was given.
public enum TransferFlow: Sendable {
  /// Continue.
  case proceed
  /// It was taken, but nothing more can be: stop reading until `Transfer.resume()`. At most what the receive buffer
  /// held waits meanwhile; TCP slows the server down.
  case pause
}

/// Receives the events of a transfer. Every call is made on the I/O thread and must return at once. The order is
/// interim heads, head, body pieces, end; `didSend` comes anywhere before the end. Nothing follows the end.
public protocol TransferConsumer: AnyObject, Sendable {
  /// A response of class 1xx other than 101, which never mixes with the final one (RFC 9110 section 15.2).
  func transfer(_ transfer: Transfer, didReceiveInterim head: ResponseHead)

  /// The head of the final response.
  func transfer(_ transfer: Transfer, didReceive head: ResponseHead) -> TransferFlow

  /// A piece of the body, decoded, at most 64 KiB. The bytes are lent for the duration of the call.
  func transfer(_ transfer: Transfer, didReceive bytes: UnsafeRawBufferPointer) -> TransferFlow

  /// The connection of a transfer for bytes (`ConnectionUse.bytes`) stands.
  func transferConnected(_ transfer: Transfer)

  /// The handshake of `Transfer.secure(as:)` is done: all that follows goes over TLS.
  func transferSecured(_ transfer: Transfer)

  /// That handshake waits: `certificateUndecided` or `identityUndecided` says for which decision, and
  /// `Transfer.peerCertificates` or `acceptedAuthorities` about what. No time-out but the total one runs until
  /// `Transfer.secure(as:)` brings it.
  func transfer(_ transfer: Transfer, waitsFor decision: TransferFailure)

  /// The peer sends nothing more on a connection that is no exchange's; sending continues. Pieces that were held back by a
  /// pause are delivered before.
  func transferReachedEndOfInput(_ transfer: Transfer)

  /// How many bytes of the body were given to the connection so far; the count starts again when the body is repeated.
  /// On a connection that is no exchange's: bytes of `Transfer.send(_:)` that the system took.
  func transfer(_ transfer: Transfer, didSend total: Int64)

  /// The one end: nil is a success, and means that the whole message has arrived.
  func transfer(_ transfer: Transfer, didEnd failure: TransferFailure?, metrics: TransferMetrics)
}

extension TransferConsumer {
  /// Interim responses are of no interest to most.
  public func transfer(_ transfer: Transfer, didReceiveInterim head: ResponseHead) {}
  /// Only consumers that ask for such connections have them.
  public func transferConnected(_ transfer: Transfer) {}
  /// Only consumers that start TLS are called.
  public func transferSecured(_ transfer: Transfer) {}
  /// Nor is anything waited for.
  public func transfer(_ transfer: Transfer, waitsFor decision: TransferFailure) {}
  /// Only consumers that ask for such connections have them.
  public func transferReachedEndOfInput(_ transfer: Transfer) {}
  /// Nor is the progress of sending.
  public func transfer(_ transfer: Transfer, didSend total: Int64) {}
}
