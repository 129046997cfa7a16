// SPDX-License-Identifier: Apache-2.0

/// The reports of a load to a client that has its connection to itself: a WebSocket, or a stream of bytes. Called as
/// `LoadClient` is.
package protocol RawConnectionClient: AnyObject, Sendable {
  /// The load's connection is open for bytes: `response` is the 101 that opened a WebSocket, nil for a connection without
  /// a request. `Load.send(_:)` sends from now on.
  func load(_ load: Load, didOpen response: HTTPURLResponse?, protocolName: String?)

  /// All that follows goes over TLS: what `Load.secure()` asked for is done.
  func loadSecured(_ load: Load)

  /// Bytes arrived over such a connection, lent for the call. False: no more for now, until `Load.resumeReading()`.
  func load(_ load: Load, didReceive bytes: UnsafeRawBufferPointer) -> Bool

  /// Bytes of `Load.send(_:)` that the system took so far.
  func load(_ load: Load, didTake total: Int64)

  /// The peer sends nothing more over such a connection.
  func loadReachedEndOfInput(_ load: Load)
}

/// For a client that takes over a connection that is open.
extension RawConnectionClient {
  package func load(_ load: Load, didOpen response: HTTPURLResponse?, protocolName: String?) {}
  package func loadSecured(_ load: Load) {}
}
