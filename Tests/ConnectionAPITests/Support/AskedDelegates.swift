// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import Locking
import TestSupport
import Timeline

/// What a delegate with methods about credentials was told, a letter for each call: k connectionShouldUseCredentialStorage,
/// w willSend, n needNewBodyStream, m willSendRequestFor, a canAuthenticate, l didReceive challenge, x didCancel challenge,
/// r response, d data, c willCacheResponse, f finished, e error.
final class Notes: Sendable {
  struct Record {
    var calls = ""
    var threads: Set<Int> = []
    var challenge: URLAuthenticationChallenge?
    var status: Int?
    var body = Data()
    var error: URLError?
  }

  let record = Locked(Record())
  fileprivate let usesStorage: Bool
  fileprivate let canAuthenticate: Bool
  fileprivate let answer: @Sendable (NSURLConnection, URLAuthenticationChallenge) -> Void

  init(
    usesStorage: Bool = true, canAuthenticate: Bool = true,
    answer: @escaping @Sendable (NSURLConnection, URLAuthenticationChallenge) -> Void = { _, challenge in
      challenge.sender?.use(
        URLCredential(user: "lesson", password: "secret", persistence: .none), for: challenge)
    }
  ) {
    (self.usesStorage, self.canAuthenticate, self.answer) = (usesStorage, canAuthenticate, answer)
  }

  /// The letters, those that follow one another as one.
  var course: String {
    record.withLock { $0.calls }.reduce(into: "") { if $0.last != $1 { $0.append($1) } }
  }

  var isOver: Bool { course.hasSuffix("f") || course.hasSuffix("e") }

  fileprivate func note(_ letter: Character, _ change: (inout Record) -> Void = { _ in }) {
    let thread = ThreadNumber.current
    record.withLock { record in
      record.calls.append(letter)
      record.threads.insert(thread)
      change(&record)
    }
  }
}

/// What the delegates have in common. A protocol, because Swift binds the methods of a class where its conformance is
/// declared.
protocol Noting: NSURLConnectionDataDelegate {
  var notes: Notes { get }
}

extension Noting {
  func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool {
    notes.note("k")
    return notes.usesStorage
  }
  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
  ) -> URLRequest? {
    notes.note("w")
    return request
  }
  func connection(_ connection: NSURLConnection, needNewBodyStream request: URLRequest) -> InputStream? {
    notes.note("n")
    return InputStream(data: Data("again".utf8))
  }
  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    notes.note("r") { $0.status = (response as? HTTPURLResponse)?.statusCode }
  }
  func connection(_ connection: NSURLConnection, didReceive data: Data) { notes.note("d") { $0.body += data } }
  func connection(
    _ connection: NSURLConnection, willCacheResponse cachedResponse: CachedURLResponse
  ) -> CachedURLResponse? {
    notes.note("c")
    return nil
  }
  func connectionDidFinishLoading(_ connection: NSURLConnection) { notes.note("f") }
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    notes.note("e") { $0.error = error as? URLError }
  }

  fileprivate func can(_ space: URLProtectionSpace) -> Bool {
    notes.note("a")
    return notes.canAuthenticate
  }
  fileprivate func hear(_ letter: Character, _ connection: NSURLConnection, _ challenge: URLAuthenticationChallenge) {
    notes.note(letter) { $0.challenge = challenge }
    if letter != "x" { notes.answer(connection, challenge) }
  }
}

/// Has none of the methods about challenges.
final class PlainNoting: NSObject, Noting {
  let notes: Notes
  init(_ notes: Notes) { self.notes = notes }
}

/// Has the three methods from before `connection(_:willSendRequestFor:)`.
protocol NotingBefore: Noting {}

extension NotingBefore {
  func connection(
    _ connection: NSURLConnection, canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
  ) -> Bool { can(protectionSpace) }
  func connection(_ connection: NSURLConnection, didReceive challenge: URLAuthenticationChallenge) {
    hear("l", connection, challenge)
  }
  func connection(_ connection: NSURLConnection, didCancel challenge: URLAuthenticationChallenge) {
    hear("x", connection, challenge)
  }
}

/// Has those three alone.
final class LegacyNoting: NSObject, NotingBefore {
  let notes: Notes
  init(_ notes: Notes) { self.notes = notes }
}

/// Has all four.
final class ModernNoting: NSObject, NotingBefore {
  let notes: Notes
  init(_ notes: Notes) { self.notes = notes }

  func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge) {
    hear("m", connection, challenge)
  }
}
