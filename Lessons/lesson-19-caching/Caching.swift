// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 19.
enum Caching {
  private static let fresh = Example.Resource.path("/cached?control=max-age%3D60&etag=v1")

  static let lesson: Lesson = .make(
    19, "caching", "What is kept", minutes: 15,
    connection: [
      .connection("policies", "every cache policy", "CachePolicies", loads: fresh, run: CachePolicies.run),
      .connection("stored", "stored as proposed", "StoredResponse", loads: fresh, run: StoredResponse.asItIs),
      .connection("refused", "the delegate answers nil", "StoredResponse", loads: fresh, run: StoredResponse.refused),
      .connection(
        "annotated", "in memory only, with user info", "StoredResponse", loads: fresh, run: StoredResponse.annotated),
    ],
    session: [
      .session("stored", "ephemeral, stored as proposed", "StoredByTask", loads: fresh, run: StoredByTask.asItIs),
      .session(
        "refused", "ephemeral, the delegate answers nil", "StoredByTask", loads: fresh, run: StoredByTask.refused),
    ],
    claims: [
      Claim(
        "N5-08",
        needs: ["connection/stored", "connection/refused", "connection/annotated", "session/stored", "session/refused"]
      ) { results, findings in
        for (name, isStored, note) in [
          ("stored", true, "none"), ("refused", false, "none"), ("annotated", true, "seen"),
        ] {
          let run = try results.first("connection/\(name)")
          let lines = ["stored: ", "note: ", "in memory only: "].map { run.line($0)?.text ?? "nothing printed" }
          findings.note(
            "\(name): \(lines.joined(separator: ", "))",
            isStored ? "stored, with what the delegate put into it" : "nothing stored",
            (lines[0] != "stored: nothing") == isStored && lines[1] == "note: \(note)"
              && lines[2] == "in memory only: \(note == "seen")")
        }
        for (name, isStored) in [("stored", true), ("refused", false)] {
          let line = try results.first("session/\(name)").line("stored: ")?.text ?? "nothing printed"
          findings.note("session/\(name): \(line)", "as the delegate says", (line != "stored: nothing") == isStored)
        }
      }
    ])
}
