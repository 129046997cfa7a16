// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 22.
enum Resume {
  private static func slow(_ options: String) -> Example.Resource {
    .body(divisor: 4, takes: .seconds(1), options: options)
  }
  private static let steady = slow("etag=v1")
  private static let changed = slow("etag=v1&changes=on")
  private static let noRanges = slow("etag=v1&ranges=off")
  private static let servers = [("", steady), ("-changed", changed), ("-no-ranges", noRanges)]

  static let lesson: Lesson = .make(
    22, "resume", "Going on where it stopped", minutes: 20,
    connection: servers.map { name, resource in
      .connection(
        "range\(name)", "Range by hand, as in the note", "RangeByHand", loads: resource, run: RangeByHand.asInTheNote)
    }
      + servers.map { name, resource in
        .connection(
          "checked\(name)", "with If-Range and a look at the status", "RangeByHand", loads: resource,
          run: RangeByHand.checked)
      },
    session: servers.map { name, resource in
      .session(
        "resumed\(name)", "pause, resume", "PauseAndResume", loads: resource, endsAs: .failed, run: PauseAndResume.once)
    } + [
      .session(
        "resumed-twice", "pause, resume, resume", "PauseAndResume", loads: steady, endsAs: .failed,
        run: PauseAndResume.resumedTwice),
      .session(
        "paused-twice", "pause, pause, resume (defective)", "PauseAndResume", loads: steady, endsAs: .failed,
        run: PauseAndResume.pausedTwice),
      .session(
        "paused-twice-guarded", "the same with the note's guard", "PauseAndResume", loads: steady, endsAs: .failed,
        run: PauseAndResume.pausedTwiceGuarded),
      .session("no-data", "resume without a pause", "PauseAndResume", loads: steady, run: PauseAndResume.withoutData),
      .session(
        "new-process", "resume in another process", "ResumeInNewProcess", loads: steady, run: ResumeInNewProcess.run
      )
      .launchedTwice(),
    ],
    claims: claims)

  private static let claims: [Claim] = [
    Claim("N3-14", needs: ["session/paused-twice", "session/paused-twice-guarded"]) { results, findings in
      let lost = try results.first("session/paused-twice")
      let said = lost.recording.lines.map(\.text).filter { $0.hasPrefix("resume data: ") }
      findings.note(
        "without the guard: \(said.joined(separator: ", ")); \(lost.line("there is nothing to resume")?.text ?? "it goes on")",
        "some, then none; nothing to resume",
        said == ["resume data: some", "resume data: none"] && lost.line("there is nothing to resume") != nil)
      findings.noteFile(of: try results.first("session/paused-twice-guarded"))
    },
    Claim("N3-15", needs: ["session/resumed", "session/new-process"]) { results, findings in
      for name in ["session/resumed", "session/new-process"] {
        let run = try results.first(name)
        try findings.noteRest(of: run, whole: results.bodyBytes / 4)
        findings.noteFile(of: run)
      }
    },
    Claim("N3-16", needs: ["session/no-data"]) { results, findings in
      let run = try results.first("session/no-data")
      findings.note(
        "\(run.line("there is nothing to resume")?.text ?? "nothing printed"), \(run.requests.count) requests",
        "0 requests",
        run.requests.isEmpty && run.line("there is nothing to resume") != nil)
    },
    Claim("N3-18", needs: ["session/resumed"]) { results, findings in
      let run = try results.first("session/resumed")
      let said = run.line("resumed at ")?.text ?? "nothing printed"
      let range = run.result.traffic.ranges.last ?? "no range"
      let offset = range.dropFirst("bytes=".count).prefix { $0 != "-" }
      findings.note(
        "\(said); asked for \(range)", "the same offset; \(results.bodyBytes / 4) in all",
        said == "resumed at \(offset) of \(results.bodyBytes / 4)")
    },
    Claim(
      "N4-13", .qualified,
      needs: servers.flatMap { ["connection/range\($0.0)", "connection/checked\($0.0)", "session/resumed\($0.0)"] },
      because:
        "The header alone is a wish. A server may send everything, or the rest of another file; 206 and a validator "
        + "tell. A download task does both by itself."
    ) { results, findings in
      for (name, _) in servers {
        let naive = try results.first("connection/range\(name)")
        let isWhole = naive.files.contains(where: \.isBody)
        findings.note(
          "\(naive.name): \(isWhole ? "whole" : "spoilt")", name.isEmpty ? "whole" : "spoilt", isWhole == name.isEmpty)
        for id in ["connection/checked\(name)", "session/resumed\(name)"] {
          let run = try results.first(id)
          let isNew = name == "-changed" && run.requests.last?.status == 200
          let isWhole = run.files.contains {
            $0.path == "download" && ($0.isBody || isNew && $0.bytes == results.bodyBytes / 4)
          }
          // Without ranges there is no resume data, and a task that was paused does not go on.
          let isRefused = id == "session/resumed-no-ranges" && run.line("resume data: none") != nil
          let isRight = isWhole || isRefused
          findings.note("\(id): \(isRight ? "right" : "wrong")", "right", isRight)
        }
      }
    },
  ]
}

extension Findings {
  /// The second request asked for the rest, and the server sent no more than that.
  fileprivate mutating func noteRest(of run: ExampleRun, whole: Int) throws {
    guard run.requests.count == 2, let range = run.requests[1].range, let offset = Int(range.dropFirst(6).dropLast())
    else {
      return note(
        "\(run.name): \(run.requests.count) requests, the last without a range", "2, the last with one", false)
    }
    let sent = run.requests[1].bytesSent
    note(
      "\(run.name): the second request asked for \(range), the server sent \(sent) bytes for it",
      "the rest and a head", offset > 0 && sent >= whole - offset && sent < whole - offset + 1024)
  }
}
