// SPDX-License-Identifier: Apache-2.0
import LessonKit

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
    18, "server-trust", "Whom to trust", minutes: 15,
    connection: [
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
          run: PinnedConnection.run)
      ],
    session: [
      .session("plain", "http", "SecureTask", loads: plain, run: SecureTask.run),
      .session(
        "trusted", "https, the authority is trusted", "SecureTask", loads: secure(.trusted), run: SecureTask.run),
    ]
      + refused.map { name, title, leaf in
        .session(name, title, "SecureTask", loads: secure(leaf), endsAs: .failed, run: SecureTask.run)
      } + [
        .session(
          "careless", "self-signed, everything is accepted (defective)", "SecureTask", loads: secure(.selfSigned),
          run: SecureTask.acceptingAll)
      ],
    claims: [
      Claim(
        "N1-37",
        needs: ["plain", "trusted", "self-signed", "wrong-host", "expired"].flatMap {
          ["connection/\($0)", "session/\($0)"]
        },
        because:
          "The same program, and another letter in the address. Where the certificate is not trusted the load fails "
          + "before a byte of the request is sent."
      ) { results, findings in
        for side in ["connection", "session"] {
          for name in ["plain", "trusted"] {
            let run = try results.first("\(side)/\(name)")
            findings.note(
              "\(side)/\(name): \(run.result.outcome.bytes) bytes", "the whole body, without code for it",
              run.result.outcome.checksumOK)
          }
          for (name, _, _) in refused {
            let run = try results.first("\(side)/\(name)")
            let error = run.result.outcome.error
            findings.note(
              "\(side)/\(name): \(error.map { "\($0.code)" } ?? "no error"), \(run.requests.count) requests",
              "refused, 0 requests", error.map { (-1204 ... -1200).contains($0.code) } == true && run.requests.isEmpty)
          }
        }
      }
    ])
}
