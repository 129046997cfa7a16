// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 17.
enum Challenges {
  private static let basic = Example.Resource.path("/basic")
  private static let digest = Example.Resource.path("/digest")

  static let lesson: Lesson = .make(
    17, "challenges", "Who is there?", minutes: 15,
    connection: [
      .connection(
        "basic", "Basic, right password", "AnsweredChallenge", loads: basic, run: AnsweredChallenge.rightPassword),
      .connection(
        "digest", "Digest, right password", "AnsweredChallenge", loads: digest, run: AnsweredChallenge.rightPassword),
      .connection(
        "wrong", "a wrong password, three times", "AnsweredChallenge", loads: basic, endsAs: .failed,
        run: AnsweredChallenge.wrongPassword),
      .connection("legacy", "the methods from before", "LegacyChallenge", loads: basic, run: LegacyChallenge.run),
      .connection(
        "synchronous", "no delegate to ask (defective)", "UnansweredChallenge", loads: basic,
        run: UnansweredChallenge.synchronous),
      .connection(
        "stored", "a credential stored before", "UnansweredChallenge", loads: basic, run: UnansweredChallenge.stored),
    ],
    session: [
      .session("basic", "Basic, right password", "ChallengedTask", loads: basic, run: ChallengedTask.rightPassword),
      .session("digest", "Digest, right password", "ChallengedTask", loads: digest, run: ChallengedTask.rightPassword),
      .session("default", "default handling", "ChallengedTask", loads: basic, run: ChallengedTask.byDefault),
      .session(
        "cancelled", "cancelled", "ChallengedTask", loads: basic, endsAs: .failed, run: ChallengedTask.cancelling),
    ],
    claims: [
      Claim(
        "N4-01", needs: ["connection/basic", "connection/wrong", "connection/legacy", "connection/synchronous"],
        because:
          "The sixth, didCancel, is called only when a load gives up while it waits for an answer, which none did."
      ) { results, findings in
        let names = [
          "connection(_:willSendRequestFor:)", "connectionShouldUseCredentialStorage(_:)",
          "connection(_:canAuthenticateAgainstProtectionSpace:)", CallbackName.fail,
        ]
        let runs = try ["basic", "wrong", "legacy"].map { try results.first("connection/\($0)") }
        let called = Set(runs.flatMap { $0.recording.callbacks.map(\.name) })
        let legacy = try results.first("connection/legacy").recording.count(CallbackName.receive, "challenge")
        let found = names.count(where: called.contains) + (legacy > 0 ? 1 : 0)
        findings.note("\(found) of its 6 methods were called", "5", found == 5)
        let modern = try results.first("connection/basic")
        findings.note(
          "with both, the method from before was \(modern.line("the method from before") == nil ? "not " : "")asked",
          "not asked", modern.line("the method from before") == nil)
        let without = try results.first("connection/synchronous").line("status ")?.text ?? "no status"
        findings.note("without any of them: \(without)", "a response all the same", without == "status 401")
      },
      Claim("N5-13", needs: ["connection/basic", "connection/digest", "connection/synchronous", "connection/stored"]) {
        results, findings in
        for (name, status) in [("basic", 200), ("digest", 200), ("synchronous", 401), ("stored", 200)] {
          let said = try results.first("connection/\(name)").line("status ")?.text ?? "no status"
          findings.note("\(name): \(said)", "\(status)", said == "status \(status)")
        }
      },
    ])
}
