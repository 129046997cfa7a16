// SPDX-License-Identifier: Apache-2.0

/// The questions of a load, and the standing decisions about its requests. A load that asks waits for the answer, which may
/// come from any thread; the defaults answer at once. Called as `LoadClient` is.
package protocol LoadDecisions: AnyObject, Sendable {
  /// A redirect may be followed: `request` is what the rules of RFC 9110 section 15.4 make of it. The load waits until
  /// `Load.follow(_:answering:)` is called, from any thread. The default follows.
  func load(_ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest, asking question: LoadQuestion)

  /// A server asks for a credential, or presents a certificate. The load waits until `Load.answer(_:_:forAll:)` is called,
  /// from any thread; no idle time runs meanwhile. The default handles it as if there was no one to ask.
  func load(_ load: Load, didReceive challenge: LoadChallenge)

  /// True if the client may have a mind of its own about a server's certificate. If so it is asked before each request to
  /// an https server that it has not decided on. The default is false: the system's judgement counts.
  var decidesTrust: Bool { get }

  /// True if what was decided about a server for all loads of the context (`Load.answer(_:_:forAll:)`) counts for this one.
  /// The default is false.
  var remembersTrust: Bool { get }

  /// True if the client may have a mind of its own about storing a response. Where it has none, a response that only a policy
  /// of any age would use is stored beside the load's end. The default is true.
  var decidesStoring: Bool { get }

  /// The request's body, which was a stream, has to be sent again, or was never given (`LoadBody.requested`). The load
  /// waits until `Load.provide(_:answering:)` is called, from any thread. The default provides what was kept.
  func load(_ load: Load, needsBodyFor request: URLRequest, asking question: LoadQuestion)

  /// The same for the rest of a body, behind `offset` bytes. The default asks for the whole where that is the rest, and
  /// has none otherwise.
  func load(_ load: Load, needsBodyFor request: URLRequest, from offset: Int64, asking question: LoadQuestion)

  /// True if a stream is to be kept as it is sent, so that it can be sent again. Asked for each stream. The default is
  /// true.
  var keepsBodyStreams: Bool { get }

  /// The whole response has arrived and may be stored. The load waits until `Load.cache(_:answering:)` is called, from any
  /// thread. Called after the last `loadHasBody(_:)`. The default stores it as it is.
  func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion)
}

extension LoadDecisions {
  package func load(
    _ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest, asking question: LoadQuestion
  ) {
    load.follow(request, answering: question)
  }
  package func load(_ load: Load, didReceive challenge: LoadChallenge) {
    load.answer(challenge, .performDefault)
  }
  package func load(_ load: Load, needsBodyFor request: URLRequest, asking question: LoadQuestion) {
    load.provide(.copy, answering: question)
  }
  package func load(_ load: Load, needsBodyFor request: URLRequest, from offset: Int64, asking question: LoadQuestion) {
    if offset == 0 {
      self.load(load, needsBodyFor: request, asking: question)
    } else {
      load.provide(.none, answering: question)
    }
  }
  package var keepsBodyStreams: Bool { true }
  package var decidesTrust: Bool { false }
  package var remembersTrust: Bool { false }

  package var decidesStoring: Bool { true }
  package func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion) {
    load.cache(response, answering: question)
  }
}

/// The decisions of a client that makes none.
final class DefaultDecisions: LoadDecisions {
  static let shared = DefaultDecisions()
}
