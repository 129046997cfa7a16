// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 12.
enum NetworkThreadLesson {
  private static let small = Example.Resource.body(divisor: 64)

  static let lesson: Lesson = .make(
    12, "network-thread", "A network thread of one's own", minutes: 20,
    connection: [
      .connection(
        "as-written", "the note's manager (defective)", "ManagerAsWritten", loads: small, run: ManagerAsWritten.run),
      .connection(
        "without-owner", "a buffer that nobody owns (defective)", "ManagerWithoutOwner", loads: small,
        run: ManagerWithoutOwner.run),
      .connection(
        "with-handle", "the note's second version (defective)", "ManagerWithHandle", loads: small,
        run: ManagerWithHandle.run),
      .connection(
        "without-port", "a thread whose loop is empty (defective)", "ThreadWithoutPort", loads: small,
        endsAs: .timedOut,
        run: ThreadWithoutPort.run
      ).limited(to: .seconds(2)),
      .connection("mended", "own thread, port, file, progress on main", "ManagerMended", run: ManagerMended.run),
    ],
    session: [.session("shared-manager", "one manager over one session", "SharedManager", run: SharedManager.run)],
    claims: [
      Claim("N4-04", needs: ["connection/without-port", "connection/mended"]) { results, findings in
        let empty = try results.first("connection/without-port")
        findings.note(
          "without a port: \(empty.line("the thread ends") == nil ? "the thread lives" : "the thread ends"), "
            + "\(empty.line("connection") == nil ? "the work is not done" : "the work is done")",
          "ends; not done", empty.line("the thread ends") != nil && empty.line("connection") == nil)
        let kept = try results.first("connection/mended")
        findings.noteBody(of: kept)
      },
      onNetworkThread("N4-05"),
      Claim("N4-07", .refuted, needs: ["connection/without-owner", "connection/as-written"], because: ownership) {
        results, findings in
        let line = try results.first("connection/without-owner").line("the buffer is ")?.text ?? "nothing printed"
        findings.note("without an owner: \(line)", "gone", line.hasSuffix("gone"))
      },
      Claim("N4-08", .refuted, needs: ["connection/as-written", "connection/mended"], because: order) {
        results, findings in
        for (name, answer) in [("as-written", "nil"), ("mended", "the file is there")] {
          let line = try results.first("connection/\(name)").line("completion: ")?.text ?? "nothing printed"
          findings.note("\(name): \(line)", answer, line == "completion: \(answer)")
        }
      },
      Claim("N4-09", .refuted, needs: ["connection/with-handle", "connection/mended"], because: handle) {
        results, findings in
        findings.noteFile(of: try results.first("connection/with-handle"), count: 0)
        findings.noteFile(of: try results.first("connection/mended"))
      },
      Claim("N4-12", needs: ["connection/mended"]) { results, findings in
        let bars = try results.first("connection/mended").recording.lines.filter { $0.text.hasPrefix("bar:") }
        findings.note(
          "\(bars.count { $0.thread.main }) of \(bars.count) changes of the bar on main", "all, and at least 1",
          !bars.isEmpty && bars.allSatisfy(\.thread.main))
      },
      Claim("N4-16", needs: ["connection/mended"]) { results, findings in
        let run = try results.first("connection/mended")
        let creator = run.line("connection created")?.thread
        findings.note(
          "created on \(creator?.words ?? "no thread"), callbacks on \(run.threads)", "the network thread, both times",
          creator?.main == false && run.places == [creator])
      },
      onNetworkThread("N5-11"),
    ])

  /// Two notes say it: callbacks come on a thread made for them, whose loop runs.
  private static func onNetworkThread(_ id: String) -> Claim {
    Claim(id, needs: ["connection/mended"]) { results, findings in
      let run = try results.first("connection/mended")
      findings.note(
        "\(run.callbacks) callbacks on \(run.threads)", "one thread, the network's",
        run.places.count == 1 && run.places.allSatisfy { $0 == run.line("connection created")?.thread && !$0.main })
      findings.noteBody(of: run)
    }
  }

  private static let ownership =
    "`assign` keeps a pointer and no object. In Objective-C the buffer may be gone or may be "
    + "another object by then; in Swift the property has to be strong, as beside it."
  private static let order =
    "The completion reads the buffer when it runs, and it runs after the line that clears it. "
    + "Hand the value over, or clear it afterwards."
  private static let handle = "A file handle does not make a file. The mended form makes it first."
}
