// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 26. No claim of the notes is left for it; the fifth shortcoming of N4 is counted in lesson 27. Its checks read
/// what its programs print.
enum SuspendResumeCancel {
  private static let slow = Example.Resource.body(divisor: 8, takes: .seconds(1))

  static let lesson: Lesson = .make(
    26, "suspend-resume-cancel", "Suspend, resume, cancel", minutes: 8,
    connection: [
      .connection(
        "start-cancel", "start and cancel, no more", "StartAndCancel", loads: slow, endsAs: .cancelled,
        run: StartAndCancel.run
      ).makes(.nothing)
    ].besideOthers(),
    session: [
      .session(
        "resumed", "suspended for a second, then resumed", "StatesOfATask", loads: slow, run: StatesOfATask.resumed),
      .session(
        "cancelled", "suspended, then cancelled", "StatesOfATask", loads: slow, endsAs: .cancelled,
        run: StatesOfATask.cancelled
      ).makes(.nothing),
    ].besideOthers(), claims: [], checks: checks,
    pairs: [.pair("start-cancel", "cancelled", "the Session example is suspended before, and it hears of its end")],
    shows: [.timeline, .loads, .printed],
    about: .of("last line printed", .lastLine, "connection/start-cancel", beside: "session/cancelled"),
    predict: Prediction(
      "A task is suspended in mid-transfer and then cancelled. When does it end?",
      answers: ["only after it is resumed", "at once", "when the server has sent the rest"], right: 2,
      shownBy: "P26-05"))

  private static let checks: [Claim] = [
    Claim("P26-01", needs: ["session/resumed", "session/cancelled"]) { results, findings in
      for name in ["resumed", "cancelled"] {
        findings.noteState("made", "suspended", of: try results.first("session/\(name)"))
      }
    },
    Claim("P26-02", needs: ["session/resumed", "session/cancelled"]) { results, findings in
      for name in ["resumed", "cancelled"] {
        findings.noteState("started", "running", of: try results.first("session/\(name)"))
      }
    },
    Claim("P26-03", needs: ["session/resumed"]) { results, findings in
      let run = try results.first("session/resumed")
      for moment in ["suspended", "half a second later", "a second later"] {
        findings.noteState(moment, "suspended", of: run)
      }
      let counts = ["half a second later", "a second later"].compactMap { run.count(at: $0) }
      let size = results.bodyBytes / 8
      findings.note(
        run.label,
        "\(Words.size(counts.first ?? -1)) and half a second later \(Words.size(counts.last ?? -1)) of \(Words.size(size))",
        "the same count, and not all", counts.count == 2 && counts[0] == counts[1] && counts[0] < size)
    },
    Claim("P26-04", needs: ["session/resumed"]) { results, findings in
      let run = try results.first("session/resumed")
      findings.noteState("resumed", "running", of: run)
      findings.noteBody(of: run)
    },
    Claim("P26-05", needs: ["session/cancelled"]) { results, findings in
      let run = try results.first("session/cancelled")
      // The task may have completed by the time that the program looks.
      let line = run.line("cancelled: ")?.text
      findings.note(
        run.label, line.map(Phrase.quoted) ?? "nothing printed", "canceling, or completed already",
        ["cancelled: canceling", "cancelled: completed"].contains { line?.hasPrefix($0) == true })
      let (suspended, end) = try (run.instant(of: "suspended: "), run.instant(of: "ended: error -999"))
      findings.note(
        run.label, "ended \(Words.milliseconds(end - suspended)) after the suspension",
        "ended without another resume",
        end >= suspended && run.line("resumed: ") == nil)
    },
  ]
}

extension Findings {
  /// The program printed this state at this moment.
  fileprivate mutating func noteState(_ moment: String, _ state: String, of run: ExampleRun) {
    let line = run.line(moment + ": ")?.text
    let wanted = "\(moment): \(state)"
    note(
      run.label, line.map(Phrase.quoted) ?? "nothing printed", .quoted(wanted),
      line?.hasPrefix(wanted) == true)
  }
}
