// SPDX-License-Identifier: Apache-2.0

/// The client of a load: one of the two APIs.
///
/// The calls that every client hears stand here; what else it may take part in are conversations with protocols of their own.
///
/// Every call is made on the transport's I/O thread, in the order written in `Load`, and must return at once: it never
/// runs a user's code, it only puts work where that code runs. Nothing is called after `load(_:didEnd:)`, which comes
/// exactly once for every load that was started.
package protocol LoadClient: AnyObject, Sendable {
  /// Makes the decisions of the load: the client itself where it is `LoadDecisions`, unless it says otherwise. Asked once.
  var decisions: any LoadDecisions { get }

  /// Hears of the load's progress, likewise; nil for nothing.
  var progress: (any LoadProgress)? { get }

  /// Has the load's connection to itself, likewise; nil for a load of a request and its response.
  var rawConnection: (any RawConnectionClient)? { get }

  /// The final response. With a `question` the load waits until `Load.accept(_:answering:)` is called, from any thread;
  /// there is none where the load was given a sink when it was made. For a multipart/x-mixed-replace body that goes into a
  /// `.stream` sink it comes for each part, as a `PartResponse`, which always waits.
  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?)

  /// Body bytes wait in a `.stream` sink. Called when the first byte comes to an empty buffer, and not again before
  /// `Load.takeBody(atMost:)` has emptied it.
  func loadHasBody(_ load: Load)

  /// The one end. Body bytes of a `.stream` sink may still wait to be taken.
  func load(_ load: Load, didEnd end: LoadEnd)
}

extension LoadClient {
  package var decisions: any LoadDecisions { DefaultDecisions.shared }
  package var progress: (any LoadProgress)? { nil }
  package var rawConnection: (any RawConnectionClient)? { nil }
  package func loadHasBody(_ load: Load) {}
}

extension LoadClient where Self: LoadDecisions {
  package var decisions: any LoadDecisions { self }
}

extension LoadClient where Self: LoadProgress {
  package var progress: (any LoadProgress)? { self }
}

extension LoadClient where Self: RawConnectionClient {
  package var rawConnection: (any RawConnectionClient)? { self }
}

/// A client, and the conversations that it takes part in, asked for once.
struct LoadPartners {
  let client: any LoadClient
  let decisions: any LoadDecisions
  let progress: (any LoadProgress)?
  let rawConnection: (any RawConnectionClient)?

  init(_ client: any LoadClient) {
    self.client = client
    (decisions, progress, rawConnection) = (client.decisions, client.progress, client.rawConnection)
  }
}
