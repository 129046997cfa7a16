// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The body of a request, where it is not the request's own `httpBody` or `httpBodyStream`.
package enum LoadBody: Sendable {
  /// Bytes in memory.
  case data(Data)
  /// A file, read as it is sent.
  case file(URL)
  /// A stream that the client is asked for, also the first time.
  case requested

  /// Its length where that is known without a look at the disk.
  var count: Int64? { if case .data(let data) = self { Int64(data.count) } else { nil } }
}

/// The answer to `LoadDecisions.load(_:needsBodyFor:asking:)`.
package enum NewBody: @unchecked Sendable {
  // Sendable: the caller that makes a stream hands it over unopened and does not touch it again.

  /// This stream, not opened yet, from its first byte.
  case stream(InputStream)
  /// The copy that was kept of the stream while it was sent (`LoadDecisions.keepsBodyStreams`).
  case copy
  /// There is none: the load fails with −1021.
  case none
}

/// Decides where the bytes of a request's body come from, each time a load sends it: first, after a redirect that keeps
/// it, with credentials, and after a connection turned out to be dead. Pure.
///
/// Data and files can be read again. A stream cannot, so the client is asked for a new one; what was kept of the old one
/// serves where the client gives none.
struct BodySupply {
  /// The kind of body that a request gives.
  enum Given: Equatable {
    /// Nothing, data or a file.
    case whole
    /// The stream of the request.
    case stream(InputStream)
    /// A stream that the client will give.
    case requested
  }

  /// The next action.
  enum Action: Equatable {
    /// Send what the request gives.
    case send
    /// Ask the client, and wait.
    case ask
    /// Send from the stream that the client gave.
    case sendNew(InputStream)
    /// Send what was kept, and then what the stream still has.
    case sendCopy
    /// End the load with −1021.
    case fail
  }

  /// Streams of which something may have been sent. Held, so that none of them can be mistaken for a later one.
  private var spent: [InputStream] = []
  private var losses = 0

  /// A request is to be sent.
  mutating func wanted(_ given: Given) -> Action {
    switch given {
    case .whole: return .send
    case .requested: return .ask
    case .stream(let stream):
      guard !spent.contains(where: { $0 === stream }) else { return .ask }
      spent.append(stream)
      return .send
    }
  }

  /// The client has answered; `hasCopy` when every byte that was sent has been kept.
  mutating func bodyProvided(_ answer: NewBody, hasCopy: Bool) -> Action {
    switch answer {
    case .stream(let stream):
      spent.append(stream)
      return .sendNew(stream)
    case .copy: return hasCopy ? .sendCopy : .fail
    case .none: return .fail
    }
  }

  /// The connection was dead, and the body had been begun. Whether to try again: once, where the transport has found
  /// that the request may be repeated (RFC 9110 section 9.2.2).
  mutating func connectionLost() -> Bool {
    losses += 1
    return losses == 1
  }
}
