// SPDX-License-Identifier: Apache-2.0

/// A step of a program with a load or a session, or an event of a load that no callback tells.
///
/// No step carries a credential: header fields are told by name, but for those that name a part or a version of a body.
public enum ProgramStep: Sendable, Hashable {
  /// The program made the load of this address, given without user information; `session` is the number of its session, 0
  /// for a connection.
  case made(LoadForm, session: UInt64, method: String, url: String)
  /// `start()`, or the `resume()` that begins.
  case started
  /// A `suspend()` that holds the load.
  case suspended
  /// A `resume()` after it.
  case resumed
  /// The program cancelled a connection that had not started.
  case cancelledUnstarted
  /// The last reference to the task or connection has gone.
  case letGo
  /// A call had no effect.
  case ignored(IgnoredCall)
  /// A request goes to its server, or to the cache in its place.
  case request(RequestFacts)
  /// The head of an answer came.
  case answer(AnswerFacts)
  /// A redirect is followed.
  case redirected(RedirectFacts)
  /// A challenge was answered.
  case challenged(ChallengeFacts)
  /// A body stream is sent again from a copy of so many bytes.
  case streamCopied(bytes: Int64)
  /// The callback that was given a file has returned.
  case fileReturned(FileFate)
  /// The main thread serves its run loop.
  case mainServes
  /// The load ended, and the program's delegate cannot be told: it conforms to no protocol with a method for that. `code` is
  /// the error's, nil where there is none.
  case endedUnheard(code: Int?)
  /// A session was made; `needsEnd` where it holds its delegate until it is told to become invalid, and ends with the program.
  case sessionMade(needsEnd: Bool)
  /// A session was told to become invalid.
  case sessionInvalidated
  /// The program holds no reference to a session any more. `atEnd` where that was first seen when the program ended: it may
  /// have held it until then.
  case sessionLetGo(atEnd: Bool)
  /// A configuration that a session was made of, or that came from a session, was changed later, and no session was made of
  /// it after that.
  case configurationChangedLate
}

/// The forms of a load, by the call that makes it.
public enum LoadForm: UInt8, Sendable, Hashable, CaseIterable {
  /// A connection that starts at its making.
  case connection
  /// A connection made with `startImmediately: false`.
  case waitingConnection
  /// `sendSynchronousRequest(_:returning:)`.
  case synchronous
  /// `sendAsynchronousRequest(_:queue:completionHandler:)`.
  case queued
  /// A session's task that reports to a delegate.
  case task
  /// A session's task with a completion handler, or of an `async` call.
  case handlerTask
  /// A task for a stream or a WebSocket.
  case rawTask

  /// True if the body is gathered in memory.
  public var gathers: Bool { [.synchronous, .queued, .handlerTask].contains(self) }
}

/// The fate of the file that a callback was given.
public enum FileFate: UInt8, Sendable, Hashable, CaseIterable {
  /// It is still in its place, and was not read.
  case left
  /// It is still in its place, and was read there, or may have been.
  case read
  /// It was moved, or read and removed.
  case moved
  /// It was removed.
  case removed
}

/// Calls that come too late to have an effect.
public enum IgnoredCall: UInt8, Sendable, Hashable, CaseIterable {
  /// `setDelegateQueue(_:)` after the start.
  case queueAfterStart
  /// `schedule(in:forMode:)` or `unschedule(from:forMode:)` after the start.
  case scheduleAfterStart
}

/// A request as it goes out.
public struct RequestFacts: Sendable, Hashable {
  /// Its method.
  public var method: String
  /// Its address, without user information.
  public var url: String
  /// The value of Range; nil where there is none.
  public var range: String?
  /// The value of If-Range; nil where there is none.
  public var ifRange: String?
  /// True if the request's policy lets a stored answer serve.
  public var mayBeStored: Bool
  /// True if a password, or what the program put into Authorization, goes over http to another machine.
  public var isInClear: Bool

  /// Facts as given.
  public init(
    method: String, url: String, range: String? = nil, ifRange: String? = nil, mayBeStored: Bool = true,
    isInClear: Bool = false
  ) {
    (self.method, self.url, self.range, self.ifRange) = (method, url, range, ifRange)
    (self.mayBeStored, self.isInClear) = (mayBeStored, isInClear)
  }
}

/// The head of an answer.
public struct AnswerFacts: Sendable, Hashable {
  /// The HTTP status; 0 where there is none.
  public var status: Int
  /// ETag or Last-Modified; empty where there is none.
  public var validator: String
  /// The value of Content-Range; nil where there is none.
  public var contentRange: String?
  /// True if it may be stored and serve again.
  public var isStorable: Bool
  /// True if it came from a cache.
  public var isStored: Bool

  /// Facts as given.
  public init(
    status: Int, validator: String = "", contentRange: String? = nil, isStorable: Bool = false, isStored: Bool = false
  ) {
    (self.status, self.validator, self.contentRange) = (status, validator, contentRange)
    (self.isStorable, self.isStored) = (isStorable, isStored)
  }
}

/// A redirect that is followed.
public struct RedirectFacts: Sendable, Hashable {
  /// The method of the request that was redirected.
  public var method: String
  /// The method of the request that follows.
  public var newMethod: String
  /// True if scheme, host or port differ.
  public var changesOrigin: Bool
  /// True if the program's answer carries Authorization or Cookie to the new address.
  public var carriesCredentials: Bool

  /// Facts as given.
  public init(
    method: String, newMethod: String, changesOrigin: Bool, carriesCredentials: Bool
  ) {
    (self.method, self.newMethod, self.changesOrigin) = (method, newMethod, changesOrigin)
    self.carriesCredentials = carriesCredentials
  }
}

/// A challenge and its answer.
public struct ChallengeFacts: Sendable, Hashable {
  /// True if it asks about the server's certificate; else it asks for a credential.
  public var isServerTrust: Bool
  /// True if the certificate holds by the library's own check; true where there is none.
  public var trustHolds: Bool
  /// True if a credential was given.
  public var hasCredential: Bool
  /// True if that credential is one that the server has rejected before.
  public var repeatsRejected: Bool

  /// Facts as given.
  public init(
    isServerTrust: Bool, trustHolds: Bool = true, hasCredential: Bool, repeatsRejected: Bool = false
  ) {
    (self.isServerTrust, self.trustHolds, self.hasCredential) = (isServerTrust, trustHolds, hasCredential)
    self.repeatsRejected = repeatsRejected
  }
}
