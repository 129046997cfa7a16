// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 15.
enum Redirects {
  static let statuses = [301, 302, 303, 307, 308]

  static let lesson: Lesson = .make(
    15, "redirects", "Redirects", minutes: 15, connection: connection.besideOthers(),
    session: session.besideOthers(), claims: [asked],
    checks: [methods, answers, circle, credential, taskAsked],
    pairs: ["follow", "refuse", "rewrite", "loop"].map { .pair($0, $0, "the Session example sends a credential, too") }
      + [.pair("other-host", "other-host")]
      + statuses.map { .pair("post-\($0)", "post-\($0)", "the Connection example has a delegate") },
    about: .of(
      "requests with the credential", .credentials, wrong: "connection/credential-back",
      right: "connection/credential-home"),
    predict: Prediction(
      "A POST with a body is answered by 302. What is the second request?",
      answers: ["a POST with the body", "a POST without a body", "a GET without a body", "there is none"], right: 3,
      shownBy: "P15-01"))

  private static func redirect(_ status: Int) -> Example.Resource { .path("/redirect/\(status)?to=/echo") }

  private static let connection: [Example] =
    [
      .connection(
        "follow", "follows", "RedirectedConnection", loads: redirect(302), run: RedirectedConnection.following
      ).makes(.line("status 200")),
      .connection(
        "refuse", "answers nil", "RedirectedConnection", loads: redirect(302), run: RedirectedConnection.refusing
      ).makes(.line("status 302")),
      .connection(
        "rewrite", "answers with another request", "RedirectedConnection", loads: redirect(302),
        run: RedirectedConnection.rewriting
      ).makes(.line("received 1024 bytes")),
      .connection(
        "loop", "a redirect to itself", "RedirectedConnection", loads: .path("/loop"), endsAs: .failed,
        run: RedirectedConnection.following
      ).makes(.line("failed: -1007")),
      .connection(
        "other-host", "to another host, with a credential", "CredentialElsewhere", loads: .path("/elsewhere"),
        run: CredentialElsewhere.leftAlone
      ).makes(.line("status 200")),
      .connection(
        "credential-back", "the delegate puts the credential back (defective)", "CredentialElsewhere",
        loads: .path("/elsewhere"), run: CredentialElsewhere.putBack
      ).has(.credentialsToAnother).makes(.line("status 200")),
      .connection(
        "credential-home", "the delegate puts the credential back on the same host alone", "CredentialElsewhere",
        loads: .path("/elsewhere"), run: CredentialElsewhere.keptAtHome
      ).makes(.line("status 200")),
    ]
    + statuses.map {
      .connection(
        "post-\($0)", "\($0) after a POST", "RedirectedPost", loads: redirect($0), run: RedirectedPost.run
      ).makes(.line("status 200"))
    }

  private static let session: [Example] =
    [
      .session("follow", "follows", "RedirectedTask", loads: redirect(302), run: RedirectedTask.following)
        .makes(.line("status 200")),
      .session("refuse", "answers nil", "RedirectedTask", loads: redirect(302), run: RedirectedTask.refusing)
        .makes(.line("status 302")),
      .session(
        "rewrite", "answers with another request", "RedirectedTask", loads: redirect(302), run: RedirectedTask.rewriting
      ).makes(.line("status 200")),
      .session(
        "loop", "a redirect to itself", "RedirectedTask", loads: .path("/loop"), endsAs: .failed,
        run: RedirectedTask.following
      ).makes(.line("failed: -1007")),
      .session(
        "other-host", "to another host, with a credential", "RedirectedTask", loads: .path("/elsewhere"),
        run: RedirectedTask.following
      ).makes(.line("status 200")),
    ]
    + statuses.map {
      .session(
        "post-\($0)", "\($0) after a POST", "RedirectedPostTask", loads: redirect($0), run: RedirectedPostTask.run
      ).has(.postBecameGet, when: $0 <= 303).makes(.line("status 200"))
    }
}
