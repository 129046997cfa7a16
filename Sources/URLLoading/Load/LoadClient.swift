// SPDX-License-Identifier: Apache-2.0

/// The client of a load: one of the two APIs.
///
/// Every call is made on the transport's I/O thread, in the order written in `Load`, and must return at once: it never
/// runs a user's code, it only puts work where that code runs. Nothing is called after `load(_:didEnd:)`, which comes
/// exactly once for every load that was started.
package protocol LoadClient: AnyObject, Sendable {
  /// A redirect may be followed: `request` is what the rules of RFC 9110 section 15.4 make of it. The load waits until
  /// `Load.follow(_:answering:)` is called, from any thread. The default follows.
  func load(_ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest, asking question: LoadQuestion)

  /// A server asks for a credential, or presents a certificate. The load waits until `Load.answer(_:_:forAll:)` is called,
  /// from any thread; no idle time runs meanwhile. The default handles it as if there was no one to ask.
  func load(_ load: Load, didReceive challenge: LoadChallenge)

  /// Whether the client may have a mind of its own about a server's certificate. If so it is asked before each request to
  /// an https server that it has not decided on. The default is false: the system's judgement counts.
  var decidesTrust: Bool { get }

  /// Whether what was decided about a server for all loads of the context (`Load.answer(_:_:forAll:)`) counts for this one.
  /// The default is false.
  var remembersTrust: Bool { get }

  /// Whether the client may have a mind of its own about storing a response. Where it has none, a response that only a policy
  /// of any age would use is stored beside the load's end. The default is true.
  var decidesStoring: Bool { get }

  /// Whether `LoadEnd.exchanges` are wanted. Asked once, when the load begins. The default is false.
  var wantsExchanges: Bool { get }

  /// The request's body, which was a stream, has to be sent again, or was never given (`LoadBody.requested`). The load
  /// waits until `Load.provide(_:answering:)` is called, from any thread. The default provides what was kept.
  func load(_ load: Load, needsBodyFor request: URLRequest, asking question: LoadQuestion)

  /// The same for the rest of a body, behind `offset` bytes. The default asks for the whole where that is the rest, and
  /// has none otherwise.
  func load(_ load: Load, needsBodyFor request: URLRequest, from offset: Int64, asking question: LoadQuestion)

  /// Whether a stream is to be kept as it is sent, so that it can be sent again. Asked for each stream. The default is
  /// true.
  var keepsBodyStreams: Bool { get }

  /// The final response. With a `question` the load waits until `Load.accept(_:answering:)` is called, from any thread;
  /// there is none where the load was given a sink when it was made. For a multipart/x-mixed-replace body that goes into a `.stream` sink it comes for each part, as a
  /// `PartResponse`, which always waits.
  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?)

  /// Body bytes wait in a `.stream` sink. Called when the first byte comes to an empty buffer, and not again before
  /// `Load.takeBody(atMost:)` has emptied it.
  func loadHasBody(_ load: Load)

  /// An interim response (1xx but 101) that comes before the final one.
  func load(_ load: Load, didReceiveInterim response: HTTPURLResponse)

  /// There is no network that leads to the server, and the load waits for one. Called at most once.
  func loadWaitsForConnectivity(_ load: Load)

  /// Bytes of the body received so far, decoded. Called for every piece.
  func load(_ load: Load, didReceive total: Int64)

  /// A resumed download continues behind `offset` bytes, or from the start when that is 0, and will have `expected` bytes,
  /// or -1. Called after the response and before anything is written.
  func load(_ load: Load, didResumeAt offset: Int64, expected: Int64)

  /// A `.file` sink created its file, and the server has said how to continue it: what another process would need to do
  /// so if this one ended. How many bytes count then is the file's length. Not called for an earlier file that is gone on
  /// with.
  func load(_ load: Load, wouldResume record: ResumeRecord)

  /// A `.file` sink wrote: bytes in the file so far, and the expected total or -1. Of a slow body at the latest 50 ms after
  /// the bytes arrived, if the disk is free; of a fast one in pieces of 512 KiB.
  func load(_ load: Load, didWrite total: Int64, expected: Int64)

  /// Bytes of the request's body that were sent so far, and their expected total or -1. Starts again from 0 when the
  /// body is sent again.
  func load(_ load: Load, didSend total: Int64, expected: Int64)

  /// The whole response has arrived and may be stored. The load waits until `Load.cache(_:answering:)` is called, from any
  /// thread. Called after the last `loadHasBody(_:)`. The default stores it as it is.
  func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion)

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

  /// The one end. Body bytes of a `.stream` sink may still wait to be taken.
  func load(_ load: Load, didEnd end: LoadEnd)
}

extension LoadClient {
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
  package var wantsExchanges: Bool { false }
  package var remembersTrust: Bool { false }

  package var decidesStoring: Bool { true }
  package func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion) {
    load.cache(response, answering: question)
  }
  package func load(_ load: Load, didOpen response: HTTPURLResponse?, protocolName: String?) {}
  package func loadSecured(_ load: Load) {}
  package func load(_ load: Load, didReceive bytes: UnsafeRawBufferPointer) -> Bool { true }
  package func load(_ load: Load, didTake total: Int64) {}
  package func loadReachedEndOfInput(_ load: Load) {}
  package func loadHasBody(_ load: Load) {}
  package func load(_ load: Load, didReceiveInterim response: HTTPURLResponse) {}
  package func loadWaitsForConnectivity(_ load: Load) {}
  package func load(_ load: Load, didReceive total: Int64) {}
  package func load(_ load: Load, didResumeAt offset: Int64, expected: Int64) {}
  package func load(_ load: Load, wouldResume record: ResumeRecord) {}
  package func load(_ load: Load, didWrite total: Int64, expected: Int64) {}
  package func load(_ load: Load, didSend total: Int64, expected: Int64) {}
}

/// Where the body of a response goes.
package enum BodySink: Sendable {
  /// Into a buffer of at most 1 MiB, from which `Load.takeBody(atMost:)` takes it; a full buffer pauses the transfer.
  case stream
  /// Into one block of memory that `LoadEnd.body` returns.
  case collect
  /// Into a new private file (mode 0600) in the directory; `LoadEnd.file` names it, and the receiver owns it.
  case file(directory: URL)
  /// Nowhere: the load ends as cancelled.
  case refuse

  /// Whether the client takes the bytes as they come.
  var isBuffered: Bool {
    if case .stream = self { true } else { false }
  }

  /// Whether the client gets the bytes, and not a file.
  var isPassedOn: Bool {
    switch self {
    case .stream, .collect: true
    case .file, .refuse: false
    }
  }
}

/// How a load ended.
package struct LoadEnd: Sendable {
  /// nil on success; the codes of api-facts A.11, with the failing URL in `userInfo`.
  package var error: URLError?
  /// The whole body of a `.collect` sink, also what had come before a failure; nil for the other sinks.
  package var body: Data?
  /// The complete file of a `.file` sink; nil on failure, when it has been removed.
  package var file: URL?
  /// What a download left that ended early and can be resumed; nil otherwise.
  package var partial: PartialDownload?
  /// What an upload left that ended early and can be resumed; nil otherwise.
  package var partialUpload: PartialUpload?
  /// The requests that were sent, in order, if the client wanted them.
  package var exchanges: [LoadExchange] = []
  /// How many redirects there were.
  package var redirectCount = 0

  /// An end as given.
  package init(error: URLError? = nil, body: Data? = nil, file: URL? = nil) {
    (self.error, self.body, self.file) = (error, body, file)
  }
}
