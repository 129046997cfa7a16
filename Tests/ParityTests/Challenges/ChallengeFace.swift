// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import SessionAPI

/// The ways in which the two APIs ask about a challenge.
enum ChallengeFace: String, CaseIterable, Sendable, Codable {
  case connection = "NSURLConnection, willSendRequestFor"
  case legacyConnection = "NSURLConnection, didReceive challenge"
  case dataTask = "data task"
  case handlerTask = "data task with handler"
  case downloadTask = "download task"

  /// The code with which a cancelled challenge ends a load (A.6, B.11).
  var cancelCode: Int { isConnection ? -1012 : -999 }
  var isConnection: Bool { self == .connection || self == .legacyConnection }
  /// Of a session: the kind of its task.
  var task: Face { Face(rawValue: rawValue) ?? .dataTask }
}

/// The challenge that a delegate was shown.
struct SeenChallenge: Sendable {
  var space: URLProtectionSpace
  var failures: Int
  var proposed: URLCredential?
  var failureStatus: Int?
}

/// The answer of a delegate.
enum Answer: Sendable {
  case use(URLCredential?)
  case cancel
  case performDefault
  case reject
  /// Later, by whoever takes it from `ChallengeClient.held`.
  case hold

  static func login(
    _ user: String, _ password: String, _ persistence: URLCredential.Persistence = .forSession
  ) -> Answer {
    .use(URLCredential(user: user, password: password, persistence: persistence))
  }
}

/// A user of one API who answers challenges.
final class ChallengeClient: Sendable {
  typealias Decision = @Sendable (SeenChallenge) -> Answer

  /// A challenge that waits for its answer.
  struct Held: Sendable {
    let challenge: SeenChallenge
    let answer: @Sendable (Answer) -> Void
  }

  let face: ChallengeFace
  let seen = Locked<[SeenChallenge]>([])
  let held: AsyncStream<Held>
  let withdrawn = Locked(0)
  let usesStorage: Bool
  fileprivate let stream: (@Sendable () -> InputStream?)?
  fileprivate let holder: AsyncStream<Held>.Continuation
  private let decide: Decision
  private let queue = OperationQueue()
  private let session: URLSession

  /// `stream` makes new streams for the body; nil is a delegate without that method, where there is a choice.
  init(
    _ face: ChallengeFace, configuration: URLSessionConfiguration = .ephemeral, usesStorage: Bool = true,
    stream: (@Sendable () -> InputStream?)? = nil, _ decide: @escaping Decision
  ) {
    self.face = face
    self.stream = stream
    self.usesStorage = usesStorage
    self.decide = decide
    (held, holder) = AsyncStream.makeStream()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: SessionAsker(), delegateQueue: queue)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// The methods that were asked about, the same one after another once. All NSURLConnections know what was shown on a
  /// port before, perhaps by another test's server, and ask about that first.
  var methods: [String] {
    seen.withLock { $0 }.reduce(into: []) { methods, challenge in
      let method = challenge.space.authenticationMethod
      if methods.last != method { methods.append(method) }
    }
  }

  /// Loads, and waits for the end.
  func load(_ url: String, _ change: (inout URLRequest) -> Void = { _ in }) async -> Observation.Facts {
    let observation = start(url, change)
    _ = await observation.hasEnded(within: .seconds(90))
    return observation.facts
  }

  func start(_ url: String, _ change: (inout URLRequest) -> Void = { _ in }) -> Observation {
    let observation = Observation()
    guard let url = URL(string: url) else { return observation }
    var request = URLRequest(url: url)
    change(&request)
    switch face {
    case .connection:
      let delegate: any ConnectionAsker =
        stream == nil ? ModernAsker(self, observation) : ModernStreamer(self, observation)
      NSURLConnection.begin(request, delegate, on: queue)
    case .legacyConnection:
      let delegate: any ConnectionAsker =
        stream == nil ? LegacyAsker(self, observation) : LegacyStreamer(self, observation)
      NSURLConnection.begin(request, delegate, on: queue)
    case .dataTask, .downloadTask, .handlerTask:
      (session.delegate as? SessionAsker)?.current.withLock { $0 = (self, observation) }
      session.makeTask(face.task, request, observation).resume()
    }
    return observation
  }

  fileprivate func ask(
    _ challenge: URLAuthenticationChallenge, _ answer: @escaping @Sendable (Answer) -> Void
  ) {
    let seen = SeenChallenge(
      space: challenge.protectionSpace, failures: challenge.previousFailureCount,
      proposed: challenge.proposedCredential,
      failureStatus: (challenge.failureResponse as? HTTPURLResponse)?.statusCode)
    self.seen.withLock { $0.append(seen) }
    let decision = decide(seen)
    if case .hold = decision { holder.yield(Held(challenge: seen, answer: answer)) } else { answer(decision) }
  }
}

/// The common part of both kinds of connection delegates.
private protocol ConnectionAsker: ConnectionObserver {
  var client: ChallengeClient { get }
}

extension ConnectionAsker {
  func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool { client.usesStorage }
  func connection(_ connection: NSURLConnection, didCancel challenge: URLAuthenticationChallenge) {
    client.withdrawn.withLock { $0 += 1 }
  }

  func ask(_ challenge: URLAuthenticationChallenge) {
    client.ask(challenge) { answer in
      let sender = challenge.sender
      switch answer {
      case .use(let credential?): sender?.use(credential, for: challenge)
      case .use(nil): sender?.continueWithoutCredential(for: challenge)
      case .cancel: sender?.cancel(challenge)
      case .performDefault: sender?.performDefaultHandling(for: challenge)
      case .reject: sender?.rejectProtectionSpaceAndContinue(with: challenge)
      case .hold: break
      }
    }
  }
}

private protocol ModernMethods: ConnectionAsker {}

extension ModernMethods {
  func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge) {
    ask(challenge)
  }
}

private protocol LegacyMethods: ConnectionAsker {}

extension LegacyMethods {
  func connection(
    _ connection: NSURLConnection, canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
  ) -> Bool { true }

  func connection(_ connection: NSURLConnection, didReceive challenge: URLAuthenticationChallenge) {
    ask(challenge)
  }
}

private protocol StreamMethods: ConnectionAsker {}

extension StreamMethods {
  func connection(_ connection: NSURLConnection, needNewBodyStream request: URLRequest) -> InputStream? {
    client.stream?()
  }
}

private class Asker: NSObject {
  let client: ChallengeClient
  let observation: Observation

  init(_ client: ChallengeClient, _ observation: Observation) {
    (self.client, self.observation) = (client, observation)
  }
}

private final class ModernAsker: Asker, ModernMethods {}
private final class LegacyAsker: Asker, LegacyMethods {}
private final class ModernStreamer: Asker, ModernMethods, StreamMethods {}
private final class LegacyStreamer: Asker, LegacyMethods, StreamMethods {}

private final class SessionAsker: NSObject, SessionObserver {
  let current = Locked<(client: ChallengeClient, observation: Observation)?>(nil)

  func observation(of task: URLSessionTask) -> Observation? { current.withLock { $0?.observation } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    current.withLock({ $0?.client })?.ask(challenge) { answer in
      switch answer {
      case .use(let credential): completionHandler(.useCredential, credential)
      case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
      case .performDefault: completionHandler(.performDefaultHandling, nil)
      case .reject: completionHandler(.rejectProtectionSpace, nil)
      case .hold: break
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(current.withLock { $0?.client }?.stream?())
  }
}
