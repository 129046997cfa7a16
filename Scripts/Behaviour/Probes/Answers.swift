// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

/// What a delegate's answers lead to, and what a load keeps to by itself.
func addAnswers(to probes: Probes) {
  addChallenges(to: probes)
  addOwnDelegate(to: probes)
  addLimits(to: probes)
}

private func addChallenges(to probes: Probes) {
  func add(
    _ id: String, _ member: String, rule: String, path: String, wants wanted: String,
    _ answer: URLSession.AuthChallengeDisposition
  ) {
    probes.add(
      "challenge.\(id)", "challenges", member, rule: rule,
      source: page("urlsession/authchallengedisposition"), wants: wanted
    ) {
      let listener = Answering(answer)
      return listener.words(of: URLRequest(url: address(server(), path)), in: listener)
    }
  }
  add(
    "basic", "401 with Basic, answered with a credential",
    rule: "The delegate is asked, and the request is sent again.",
    path: "/basic", wants: "asked, status 200", .useCredential)
  add(
    "digest", "401 with Digest, answered with a credential",
    rule: "The delegate is asked, and the request is sent again.",
    path: "/digest", wants: "asked, status 200", .useCredential)
  add(
    "default", "401 with Basic, left to default handling", rule: "Without a credential the 401 is the response.",
    path: "/basic", wants: "asked, status 401", .performDefaultHandling)
  add(
    "rejected", "401 with Basic, the protection space rejected", rule: "Without another space the 401 is the response.",
    path: "/basic", wants: "asked, status 401", .rejectProtectionSpace)
  add(
    "cancelled", "401 with Basic, cancelled", rule: "The load ends with cancelled, -999.", path: "/basic",
    wants: "asked, end -999", .cancelAuthenticationChallenge)
}

private func addOwnDelegate(to probes: Probes) {
  for (id, other, member) in [
    ("alone", nil, "delegate of a data task, the session without one"),
    ("beside", Answering(.performDefaultHandling), "delegate of a data task, the session with another"),
  ] as [(String, Answering?, String)] {
    probes.add(
      "task-delegate.\(id)", "URLSessionTask", member, rule: "The task's delegate is called.",
      source: page("urlsessiontask/delegate"), wants: "status 200"
    ) {
      let listener = Answering(.performDefaultHandling)
      return listener.words(of: URLRequest(url: address(server(), "/1k")), in: other, ofTask: true)
    }
  }
}

private func addLimits(to probes: Probes) {
  probes.add(
    "limit.resource", "URLSessionConfiguration", "timeoutIntervalForResource of 1 s, a server that never answers",
    rule: "The load fails with timedOut, -1001, after that time.",
    source: page("urlsessionconfiguration/timeoutintervalforresource"), wants: "-1001"
  ) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 1
    return load(URLRequest(url: address(server(), "/never")), configuration).words
  }
  probes.add(
    "redirect.authorization", "redirects", "Authorization of the request, a redirect to another host",
    rule: "A credential stays with its host.", source: "RFC 9110, 15.4; " + page("urlrequest"), wants: "not sent"
  ) {
    let server = server()
    var request = URLRequest(url: address(server, "/elsewhere"))
    request.setValue("Basic bGVzc29uOnNlY3JldA==", forHTTPHeaderField: "Authorization")
    _ = load(request)
    guard let last = server.log.settled(within: .seconds(20)).requests(for: "/echo").last else { return "no request" }
    return last["Authorization"] == nil ? "not sent" : "sent"
  }
}

/// Notes whether it is asked about a challenge, and how the load ended.
private final class Answering: NSObject, URLSessionDataDelegate {
  let notes = Notes()
  private let answer: URLSession.AuthChallengeDisposition

  init(_ answer: URLSession.AuthChallengeDisposition) { self.answer = answer }

  /// Loads in a session with that delegate; with `ofTask` this one is the task's.
  func words(of request: URLRequest, in delegate: Answering?, ofTask: Bool = false) -> String {
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: request)
    if ofTask { task.delegate = self }
    task.resume()
    let hasEnded = notes.hasEnded.wait(timeout: .now() + patience) == .success
    let words = notes.words
    session.invalidateAndCancel()
    return hasEnded ? words : words == "none" ? "not called" : "\(words), no end"
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    notes.add("asked")
    let credential = URLCredential(user: "lesson", password: "secret", persistence: .none)
    completionHandler(answer, answer == .useCredential ? credential : nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    notes.add((error as NSError?).map { "end \($0.code)" } ?? "status \(status)")
    notes.hasEnded.signal()
  }
}
