// SPDX-License-Identifier: Apache-2.0
import LessonKit

@testable import Lessons

extension Mistake {
  private static func spoils(_ run: ExampleRun) -> Bool { run.files.count { $0.isBody } != 1 }

  /// Buffers, managers and sessions: who owns what, and for how long.
  static let lives = [
    Mistake(
      "N1-18", in: 6, "a buffer that is kept stays in memory", bad: "connection/kept", cure: "connection/released"
    ) {
      run in
      let later = try? run.growth(atLine: "a moment later")
      return (later ?? 0) >= LessonRuns.bodyBytes * 9 / 10
    },
    Mistake("N4-04", in: 12, "a thread without a port ends", bad: "connection/without-port", cure: "connection/mended")
    {
      $0.callbacks == 0 && $0.result.outcome.kind == .timedOut
    },
    Mistake(
      "N4-07", in: 12, "a buffer without an owner ends the program", bad: "connection/as-written",
      cure: "connection/in-memory"
    ) { $0.result.outcome.kind == .crashed },
    Mistake(
      "N4-07", in: 12, "a weak buffer is gone", bad: "connection/weak-buffer", cure: "connection/in-memory"
    ) { $0.line("the buffer is gone") != nil },
    Mistake(
      "N4-08", in: 12, "a buffer that was cleared is nil", bad: "connection/owned-buffer", cure: "connection/in-memory"
    ) { $0.line("completion: ")?.text == "completion: nil" },
    Mistake(
      "N4-18", in: 12, "a failed load is not answered", bad: "connection/as-written-refused",
      cure: "connection/mended-refused"
    ) { $0.line("completion: ") == nil },
    Mistake(
      "N4-19", in: 12, "the file without a name is not written", bad: "connection/owned-buffer",
      cure: "connection/in-memory", shows: spoils),
    Mistake(
      "N4-09", in: 12, "the handle is opened on a missing file", bad: "connection/with-handle",
      cure: "connection/mended",
      shows: spoils),
    Mistake(
      "N4-14", in: 23, "parts without ranges spoil the file", bad: "connection/unchecked", cure: "connection/no-ranges",
      shows: spoils),
    Mistake(
      "N3-04", in: 24, "a task for an invalid session ends the program", bad: "session/too-late",
      cure: "session/finished"
    ) { $0.result.outcome.kind == .crashed },
    Mistake(
      "N3-06", in: 24, "a session that is forgotten keeps its delegate", bad: "session/forgotten",
      cure: "session/finished"
    ) { $0.line("delegate released") == nil },
    Mistake(
      "N3-07", in: 24, "a session for each request opens a socket for each", bad: "session/hundred-sessions",
      cure: "session/one-session"
    ) { $0.result.traffic.sockets == 100 },
    Mistake(
      "N2-05", in: 13, "data that is not dropped makes a picture of three", bad: "connection/not-reset",
      cure: "connection/reset"
    ) { !$0.isRight },
    Mistake(
      "N4-03", in: 14, "a second start loads nothing", bad: "connection/started-again",
      cure: "connection/new-connection"
    ) { $0.requests.count == 1 },
    Mistake(
      "N3-14", in: 22, "a second pause loses the resume data", bad: "session/paused-twice",
      cure: "session/paused-twice-guarded", shows: spoils),
    Mistake(
      "N3-23", in: 22, "resume at once after the pause finds no data", bad: "session/resumed-at-once",
      cure: "session/resumed-at-once-mended", shows: spoils),
    Mistake(
      "N3-07", in: 24, "over TLS a session for each request shakes hands for each", bad: "session/hundred-sessions-tls",
      cure: "session/one-session-tls"
    ) { $0.result.traffic.sockets == 100 },
    Mistake(
      "N4-13", in: 22, "a changed file is joined with its older half", bad: "connection/range-changed",
      cure: "connection/checked-changed"
    ) { !$0.isRight },
    Mistake(
      "N4-13", in: 22, "a server without ranges sends everything once more", bad: "connection/range-no-ranges",
      cure: "connection/checked-no-ranges", shows: spoils),
    Mistake(
      "N3-02", in: 1, "a task that nobody resumes sends nothing", bad: "session/never-resumed", cure: "session/json"
    ) { $0.requests.isEmpty },
    Mistake(
      "N5-13", in: 17, "a synchronous call cannot answer a challenge", bad: "connection/synchronous",
      cure: "connection/basic"
    ) { $0.line("status 401") != nil },
    Mistake(
      "N1-37", in: 18, "accepting every certificate accepts a wrong one", bad: "session/careless",
      cure: "session/self-signed"
    ) { $0.result.outcome.bytes > 0 },
    Mistake(
      "P15-04", in: 15, "a credential that is put back goes to any host", bad: "connection/credential-back",
      cure: "connection/credential-home"
    ) { $0.requests.last?.fields["authorization"] != nil },
    Mistake(
      "N5-16", in: 16, "a used-up stream cannot be sent again", bad: "connection/stream-used-up",
      cure: "connection/stream-307"
    ) { $0.result.outcome.kind == .failed },
    Mistake(
      "P17-01", in: 17, "the same wrong password again and again", bad: "connection/endless", cure: "connection/wrong"
    ) { $0.requests.count > 4 },
    Mistake(
      "P18-01", in: 18, "a delegate that accepts everything lets another host in", bad: "session/careless-host",
      cure: "connection/pinned-changed"
    ) { $0.result.outcome.bytes > 0 },
    Mistake(
      "N1-38", in: 19, "a storage policy as cache policy uses and stores a stale response",
      bad: "connection/storage-not-allowed", cure: "connection/nothing-kept"
    ) { $0.line("a response is stored") != nil },
    Mistake(
      "N2-18", in: 20, "one request after the other adds up the waiting", bad: "connection/one-by-one",
      cure: "connection/at-once"
    ) { $0.result.time.wall >= 1.4 },
  ]
}
