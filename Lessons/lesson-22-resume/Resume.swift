// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 22.
enum Resume {
  private static func slow(_ options: String, takes time: Duration = .seconds(1)) -> Example.Resource {
    .body(divisor: 4, takes: time, options: options)
  }
  private static let steady = slow("etag=v1")
  /// Slow enough that a pause after 0.9 s comes before its end, on a busy machine, too.
  private static let slower = slow("etag=v1", takes: .milliseconds(1500))

  /// A server that plays along, one whose file is another by the second request, one without ranges.
  static let servers = ["", "-changed", "-no-ranges"]
  private static let resources = [steady, slow("etag=v1&changes=on"), slow("etag=v1&ranges=off")]
  private static let whole = Example.Product.file("download")
  private static let products = [whole, .file("download", .secondVersion), whole]

  static let lesson: Lesson = .make(
    22, "resume", "Resuming a download", minutes: 20, connection: connection.besideOthers(),
    session: resumed.besideOthers()
      + session.besideOthers(except: "paused-twice", "paused-twice-guarded", "resumed-at-once"),
    claims: claims, checks: checks,
    pairs: servers.map { .pair("checked\($0)", "resumed\($0)") },
    shows: [.loads, .requests, .printed],
    about: .of("file", .product, wrong: "connection/range-changed", right: "connection/checked-changed"),
    predict: Prediction(
      "A download stops half-way. Before it continues with a Range header, the file on the server is replaced by "
        + "another of the same size. What does the program of the note have in the end?",
      answers: [
        "an error", "the whole old file", "the whole new file", "the front of the old file and the rear of the new one",
      ], right: 4, shownBy: "N4-13"))

  /// One example for each of the three servers, each with a title of its own.
  private static func each(_ titles: [String], _ make: (String, String, Example.Resource) -> Example) -> [Example] {
    servers.indices.map { make(servers[$0], titles[$0], resources[$0]).makes(products[$0]) }
  }

  private static let connection =
    each([
      "Range by hand, as in the note", "Range by hand; the file changes in between (defective)",
      "Range by hand; the server has no ranges (defective)",
    ]) { name, title, resource in
      .connection("range\(name)", title, "RangeByHand", loads: resource, run: RangeByHand.run)
        .has(.rangeUnchecked, when: !name.isEmpty)
    }
    + each([
      "with If-Range and a look at the answer", "with If-Range; the file changes in between",
      "with If-Range; the server has no ranges",
    ]) { name, title, resource in
      .connection("checked\(name)", title, "CheckedRange", loads: resource, run: CheckedRange.run)
    }

  private static let resumed = each([
    "pause, resume", "pause, resume; the file changes in between", "pause, resume; the server has no ranges",
  ]) { name, title, resource in
    .session("resumed\(name)", title, "PauseAndResume", loads: resource, run: PauseAndResume.once)
      .has(.sessionKept)
  }

  private static let session: [Example] = [
    .session(
      "resumed-twice", "pause, resume, resume", "PauseAndResume", loads: steady, run: PauseAndResume.resumedTwice
    )
    .has(.sessionKept).makes(whole),
    .session(
      "paused-twice", "pause, pause, resume (defective)", "PauseAndResume", loads: steady, endsAs: .cancelled,
      run: PauseAndResume.pausedTwice
    ).has(.sessionKept).makes(whole),
    .session(
      "paused-twice-guarded", "the same with the note's guard", "PauseAndResume", loads: steady,
      run: PauseAndResume.pausedTwiceGuarded
    ).has(.sessionKept).makes(whole),
    .session(
      "resumed-at-once", "resume at once after the pause, as in the note (defective)", "PauseAndResume", loads: steady,
      endsAs: .cancelled, run: PauseAndResume.atOnce
    ).has(.sessionKept).makes(whole),
    .session(
      "resumed-at-once-mended", "the same, and the press is remembered", "PauseAndResume", loads: steady,
      run: PauseAndResume.atOnceMended
    ).has(.sessionKept).makes(whole),
    .session(
      "started-twice", "start, start, pause, as in the note (defective)", "PauseAndResume", loads: slower,
      endsAs: .cancelled, run: PauseAndResume.startedTwice
    ).has(.sessionKept).makes(.nothing),
    .session(
      "started-twice-guarded", "the same, and the second press does nothing", "PauseAndResume", loads: steady,
      endsAs: .cancelled, run: PauseAndResume.startedTwiceGuarded
    ).has(.sessionKept).makes(.nothing),
    .session(
      "no-data", "resume without a pause, as in the note", "WithoutResumeData", loads: steady,
      run: WithoutResumeData.guarded
    )
    .makes(.line("there is nothing to resume")),
    .session(
      "empty-data", "empty resume data (defective)", "WithoutResumeData", loads: steady, endsAs: .failed,
      run: WithoutResumeData.empty
    ).makes(.nothing),
    .session(
      "nil-data", "no resume data and no guard (an error)", "WithoutResumeData", loads: steady, endsAs: .crashed,
      run: WithoutResumeData.missing
    ).makes(.nothing),
    .session(
      "new-process", "resume in another process; the requests are those of both, all else is the second's",
      "ResumeInNewProcess", loads: steady, run: ResumeInNewProcess.run
    ).launchedTwice().has(.sessionKept).makes(whole),
    .session(
      "killed", "killed half-way, and launched again eight seconds later", "KilledProgram", loads: steady,
      run: KilledProgram.run
    ).launchedTwice(after: .seconds(8)).makes(whole),
  ]
}
