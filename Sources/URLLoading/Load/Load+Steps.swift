// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import HTTPRules
package import Timeline
import Transport

/// The reports of a load to a recorder beside its callbacks: requests and answers. Nothing is put together while none listens.
extension Load {
  /// The program made this load; `session` is the number of its session, 0 for a connection.
  package static func tellMade(_ form: LoadForm, of request: URLRequest, session: UInt64 = 0, subject: UInt64) {
    guard Timeline.isRecording else { return }
    let url = request.url.map(shown) ?? ""
    Timeline.emit(
      .step(.made(form, session: session, method: request.httpMethod ?? "GET", url: url)), subject: subject)
  }

  /// A program's own protocol, or a local source, has answered.
  func tellAnswer(_ response: URLResponse) {
    guard Timeline.isRecording else { return }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    Timeline.emit(.step(.answer(AnswerFacts(status: status))), subject: subject)
  }

  /// A request goes to its server, with the fields that the load added.
  func tell(_ request: borrowing TransferRequest) {
    guard Timeline.isRecording else { return }
    var facts = requestFacts
    for field in request.fields {
      if field.isNamed("range") { facts.range = field.value }
      if field.isNamed("if-range") { facts.ifRange = field.value }
      if field.isNamed("authorization") { facts.isInClear = isInClear(field.value) }
    }
    Timeline.emit(.step(.request(facts)), subject: subject)
  }

  /// A request is answered from the cache, with a response of this status.
  func tellStored(status: Int) {
    guard Timeline.isRecording else { return }
    Timeline.emit(.step(.request(requestFacts)), subject: subject)
    Timeline.emit(.step(.answer(AnswerFacts(status: status, isStored: true))), subject: subject)
  }

  private var requestFacts: RequestFacts {
    let request = currentRequest
    let policy =
      request.cachePolicy == .useProtocolCachePolicy ? context.configuration.cachePolicy : request.cachePolicy
    return RequestFacts(
      method: request.httpMethod ?? "GET", url: request.url.map(Self.shown) ?? "",
      mayBeStored: policy != .reloadIgnoringLocalCacheData && policy != .reloadIgnoringLocalAndRemoteCacheData)
  }

  /// True if others can read this value of Authorization on its way: a password, or what the program put there itself.
  private func isInClear(_ value: String) -> Bool {
    guard let url = currentRequest.url, url.scheme == "http", !ProxyRules.isLoopback(url.host ?? "") else {
      return false
    }
    return value.hasPrefix("Basic ") || currentRequest.value(forHTTPHeaderField: "Authorization") != nil
  }

  /// The head of an answer has come.
  func tell(_ head: ResponseHead) {
    guard Timeline.isRecording else { return }
    var (facts, tag, hasAge, mayBeStored) = (AnswerFacts(status: head.status), nil as String?, false, true)
    for field in head.fields {
      switch field.name.utf8.count {
      case 4 where field.isNamed("ETag"): tag = field.value
      case 13 where field.isNamed("Last-Modified"): facts.validator = field.value
      case 13 where field.isNamed("Cache-Control"):
        let control = field.value.lowercased()
        (hasAge, mayBeStored) = (hasAge || control.contains("max-age"), mayBeStored && !control.contains("no-store"))
      case 13 where field.isNamed("Content-Range"): facts.contentRange = field.value
      default: break
      }
    }
    if let tag { facts.validator = tag }
    facts.isStorable = head.status == 200 && mayBeStored && (hasAge || !facts.validator.isEmpty)
    Timeline.emit(.step(.answer(facts)), subject: subject)
  }

  /// A redirect is followed to `request`, as the client answered.
  func tellRedirect(to request: URLRequest) {
    guard Timeline.isRecording, let url = request.url, let old = currentRequest.url else { return }
    let facts = RedirectFacts(
      method: currentRequest.httpMethod ?? "GET", newMethod: request.httpMethod ?? "GET",
      changesOrigin: Origin(url) != Origin(old),
      carriesCredentials: ["Authorization", "Cookie"].contains { request.value(forHTTPHeaderField: $0) != nil })
    Timeline.emit(.step(.redirected(facts)), subject: subject)
  }

  /// A challenge was answered.
  func tell(_ answer: ChallengeAnswer, to challenge: LoadChallenge) {
    guard Timeline.isRecording else { return }
    let space = challenge.space
    let isTrust = space.authenticationMethod == NSURLAuthenticationMethodServerTrust
    var credential: URLCredential?
    if case .use(let used) = answer { credential = used }
    let facts = ChallengeFacts(
      isServerTrust: isTrust,
      trustHolds: !isTrust || space.serverTrust.map { SecTrustEvaluateWithError($0, nil) } ?? true,
      hasCredential: credential != nil,
      repeatsRejected: !isTrust && challenge.failures > 0 && Self.isSame(credential, challenge.proposed))
    Timeline.emit(.step(.challenged(facts)), subject: subject)
  }

  /// True if both have one user and password; how long they are to be kept does not matter.
  private static func isSame(_ one: URLCredential?, _ other: URLCredential?) -> Bool {
    guard let one, let other else { return false }
    return one == other || one.user != nil && one.user == other.user && one.password == other.password
  }

  /// An address without user information.
  static func shown(_ url: URL) -> String {
    let text = url.absoluteString
    guard text.utf8.contains(UInt8(ascii: "@")), var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return text }
    (parts.user, parts.password) = (nil, nil)
    return parts.string ?? ""
  }
}
