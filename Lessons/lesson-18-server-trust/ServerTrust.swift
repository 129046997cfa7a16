// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 18.
enum ServerTrust {
  private static let plain = Example.Resource.body(divisor: 16)
  private static func secure(_ leaf: Example.Certificate) -> Example.Resource { .secure(leaf, divisor: 16) }
  private static let refused: [(String, String, Example.Certificate)] = [
    ("self-signed", "a certificate that vouches for itself", .selfSigned),
    ("wrong-host", "a certificate for another host", .wrongHost),
    ("expired", "a certificate whose time is over", .expired),
  ]

  static let lesson: Lesson = .make(
    18, "server-trust", "Server trust", minutes: 15, connection: connection.besideOthers(),
    session: session.besideOthers(), claims: [noCode],
    checks: [pinning],
    pairs: ["plain", "trusted", "self-signed", "wrong-host", "expired"].map { .pair($0, $0) },
    about: .of(
      "requests that reached an untrusted server", .requests, wrong: "session/careless",
      right: "connection/pinned-changed"),
    predict: Prediction(
      "A server shows a certificate that no trusted authority has signed. How much of the request does it see?",
      answers: ["all of it; the error comes afterwards", "the head, not the body", "nothing of it"], right: 3,
      shownBy: "N1-37"))

  private static let connection: [Example] =
    [
      .connection("plain", "http", "SecureConnection", loads: plain, run: SecureConnection.run),
      .connection(
        "trusted", "https, the authority is trusted", "SecureConnection", loads: secure(.trusted),
        run: SecureConnection.run),
    ]
    + refused.map { name, title, leaf in
      .connection(name, title, "SecureConnection", loads: secure(leaf), endsAs: .failed, run: SecureConnection.run)
    } + [
      .connection(
        "pinned", "self-signed, the certificate of the first visit", "PinnedConnection", loads: secure(.selfSigned),
        run: PinnedConnection.run
      ).has(.anyCertificate).makes(.bodies),
      .connection(
        "pinned-changed", "self-signed, another certificate than the remembered one", "PinnedConnection",
        loads: secure(.selfSigned), endsAs: .failed, run: PinnedConnection.changed),
    ]

  private static let session: [Example] =
    [
      .session("plain", "http", "SecureTask", loads: plain, run: SecureTask.run),
      .session(
        "trusted", "https, the authority is trusted", "SecureTask", loads: secure(.trusted), run: SecureTask.run),
    ]
    + refused.map { name, title, leaf in
      .session(name, title, "SecureTask", loads: secure(leaf), endsAs: .failed, run: SecureTask.run)
    } + [
      .session(
        "careless", "self-signed, everything is accepted (defective)", "CarelessTask", loads: secure(.selfSigned),
        run: CarelessTask.run
      ).has(.anyCertificate).makes(.nothing),
      .session(
        "careless-host", "for another host, everything is accepted (defective)", "CarelessTask",
        loads: secure(.wrongHost), run: CarelessTask.run
      ).has(.anyCertificate).makes(.nothing),
    ]

  /// N1-37: no code where the certificate is trusted, and no request where it is not.
  private static let noCode = Claim(
    "N1-37",
    needs: ["plain", "trusted", "self-signed", "wrong-host", "expired"].flatMap {
      ["connection/\($0)", "session/\($0)"]
    },
    because: "It is the same program with another address. Where the certificate is not trusted, the load fails before "
      + "the request is sent."
  ) { results, findings in
    for side in ["connection", "session"] {
      for name in ["plain", "trusted"] {
        let run = try results.first("\(side)/\(name)")
        findings.note(
          Phrase(verbatim: run.result.id), "\(Words.size(run.result.outcome.bytes)) by \(run.scheme)",
          "the server's bytes, without code for it", run.hasWholeBodies)
      }
      for (name, _, _) in refused {
        let run = try results.first("\(side)/\(name)")
        let error = run.result.outcome.error
        findings.note(
          Phrase(verbatim: run.result.id), "\(error?.name ?? "?"), \(.count(run.requests.count, "request"))",
          "an error about the certificate, 0 requests",
          error.map { (-1204 ... -1200).contains($0.code) } == true && run.requests.isEmpty)
      }
    }
  }

  /// P18-01: a delegate that judges is the only judge.
  private static let pinning = Claim(
    "P18-01", needs: ["connection/pinned", "connection/pinned-changed", "session/careless", "session/careless-host"]
  ) { results, findings in
    for (name, requests) in [
      ("connection/pinned", 2), ("connection/pinned-changed", 0), ("session/careless", 1), ("session/careless-host", 1),
    ] {
      let run = try results.first(name)
      let accepted = run.requests.count
      findings.note(
        Phrase(verbatim: name), "\(.count(accepted, "request")) reached the server", .count(requests, "request"),
        accepted == requests)
    }
  }
}

extension ExampleRun {
  fileprivate var scheme: String { name == "plain" ? "http" : "https" }
}
