// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 17.
enum Challenges {
  private static let basic = Example.Resource.path("/basic")
  private static let digest = Example.Resource.path("/digest")
  private static let entered = Example.Product.line("status 200")
  private static let shutOut = Example.Product.line("status 401")

  static let lesson: Lesson = .make(
    17, "challenges", "Authentication", minutes: 15, connection: connection.besideOthers(),
    session: session.besideOthers(),
    claims: [protocolMethods, delegateForm], checks: [endless, dispositions],
    pairs: [
      .pair("basic", "basic"), .pair("digest", "digest"),
      .pair("without-methods", "default", "the task's delegate is asked and chooses default handling"),
    ],
    about: .of("status", .status, wrong: "connection/synchronous", right: "connection/stored"),
    predict: Prediction(
      "A synchronous request meets a server that wants a password. What does the program get?",
      answers: ["an error, and nothing else", "the 401 and its body, as a response", "it waits for ever"], right: 2,
      shownBy: "N5-13"))

  private static let connection: [Example] = [
    .connection(
      "basic", "Basic, right password", "AnsweredChallenge", loads: basic, run: AnsweredChallenge.rightPassword
    ).makes(entered),
    .connection(
      "digest", "Digest, right password", "AnsweredChallenge", loads: digest, run: AnsweredChallenge.rightPassword
    ).makes(entered),
    .connection(
      "wrong", "a wrong password, three times", "AnsweredChallenge", loads: basic, endsAs: .failed,
      run: AnsweredChallenge.wrongPassword
    ).has(.sameCredential).makes(.line("failed: -1012")),
    .connection(
      "endless", "a wrong password, again and again (defective)", "EndlessChallenge", loads: basic,
      run: EndlessChallenge.run
    ).has(.sameCredential).makes(entered),
    .connection("legacy", "the legacy methods", "LegacyChallenge", loads: basic, run: LegacyChallenge.run)
      .makes(entered),
    .connection(
      "without-methods", "a delegate without any of the methods", "WithoutMethods", loads: basic,
      run: WithoutMethods.run
    ).makes(shutOut),
    .connection(
      "synchronous", "no delegate to ask (defective)", "UnansweredChallenge", loads: basic,
      run: UnansweredChallenge.synchronous
    ).makes(entered),
    .connection(
      "queue-401", "a handler, and no delegate to ask (defective)", "UnansweredChallenge", loads: basic,
      endsAs: .failed, run: UnansweredChallenge.queue
    ).makes(entered),
    .connection(
      "stored", "a credential stored before", "UnansweredChallenge", loads: basic, run: UnansweredChallenge.stored
    ).makes(entered),
  ]

  private static let session: [Example] = [
    .session("basic", "Basic, right password", "ChallengedTask", loads: basic, run: ChallengedTask.rightPassword)
      .makes(entered),
    .session("digest", "Digest, right password", "ChallengedTask", loads: digest, run: ChallengedTask.rightPassword)
      .makes(entered),
    .session("default", "default handling", "ChallengedTask", loads: basic, run: ChallengedTask.byDefault)
      .makes(shutOut),
    .session(
      "cancelled", "the answer is cancel", "ChallengedTask", loads: basic, endsAs: .cancelled,
      run: ChallengedTask.cancelling
    ).makes(.line("failed: -999")),
  ]
}
