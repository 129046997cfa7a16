// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// How lesson 20 settles its claims and its check.
extension ManyRequests {
  /// N2-14: thirty objects, six sockets.
  static let sockets = Claim(
    "N2-14", .qualified, needs: ["connection/thirty", "session/thirty"],
    because:
      "An object is cheap, a socket is not. A host gets six sockets here; the other requests wait for a free one."
  ) { results, findings in
    for name in ["connection/thirty", "session/thirty"] { findings.noteSockets(of: try results.first(name), most: 6) }
  }

  /// N2-15: the pieces of two bodies alternate.
  static let turns = Claim(
    "N2-15", .refuted, needs: ["connection/two-bodies"],
    because: "Callbacks come one at a time, but not one load at a time: the delegate is called for the load that has "
      + "received something."
  ) { results, findings in
    let run = try results.first("connection/two-bodies")
    let subjects = run.recording.order.filter { run.recording.callbacks[$0.callback].detail == "data" }.map(\.subject)
    let changes = zip(subjects, subjects.dropFirst()).count { $0 != $1 }
    findings.note(
      run.label,
      "\(.count(run.recording.loads.count, "load")), the data callbacks change \(.count(changes, "time")) from one to the other",
      "more than once", run.recording.loads.count == 2 && changes > 1)
  }

  /// N2-18: at once is faster, each answer finds its place, and main stays free.
  static let advice = Claim(
    "N2-18", .refuted, needs: ["connection/one-by-one", "connection/at-once", "session/at-once"],
    because:
      "Requests at once do not disturb the screen: the handlers come to main one at a time, in any order, and each "
      + "knows its place. One by one only adds up the waiting."
  ) { results, findings in
    let oneByOne = try results.first("connection/one-by-one")
    for name in ["connection/one-by-one", "connection/at-once", "session/at-once"] {
      findings.notePictures(of: try results.first(name))
    }
    for name in ["connection/at-once", "session/at-once"] {
      let (time, slow) = (try results.first(name).result.time.wall, oneByOne.result.time.wall)
      findings.note(
        Phrase(verbatim: name),
        "\(Words.seconds(time)), \(String(format: "%.2f", time / slow)) of the \(Words.seconds(slow)) that one by one takes",
        "at most 0.6 of it", time <= slow * 0.6)
    }
  }

  /// P20-01: a session's configuration sets the number; HTTP/2 needs one socket.
  static let perHost = Claim("P20-01", needs: ["session/two-per-host", "session/http2"]) { results, findings in
    findings.noteSockets(of: try results.first("session/two-per-host"), most: 2)
    let run = try results.first("session/http2")
    let versions = Set(run.requests.map(\.version)).sorted().joined(separator: ", ")
    findings.note(
      Phrase(verbatim: run.result.id),
      "\(versions): \(.count(run.requests.count, "request")) over \(.count(run.result.traffic.sockets, "socket"))",
      "HTTP/2: 30 requests over 1 socket",
      versions == "HTTP/2" && run.requests.count == 30 && run.result.traffic.sockets == 1)
  }
}

extension ExampleRun {
  /// The most requests that the server worked on at the same time.
  fileprivate var requestsAtOnce: Int {
    requests.map { one in requests.count { $0.began <= one.began && ($0.ended ?? .infinity) > one.began } }.max() ?? 0
  }

  /// The places in the order in which they were filled, each with the picture's size.
  fileprivate var pictures: [(place: Int, bytes: Int, isOnMain: Bool)] {
    recording.lines.compactMap { line in
      let words = line.text.split { $0 == " " || $0 == ":" }
      guard words.count == 4, words[0] == "place", let place = Int(words[1]), let bytes = Int(words[2]) else {
        return nil
      }
      return (place, bytes, line.thread.main)
    }
  }
}

extension Findings {
  fileprivate mutating func noteSockets(of run: ExampleRun, most: Int) {
    let sockets = run.result.traffic.sockets
    note(
      Phrase(verbatim: run.result.id),
      "\(.count(run.requests.count, "request")), \(run.requestsAtOnce) at a time, over \(.count(sockets, "socket"))",
      "30 requests over \(most) sockets",
      run.requests.count == 30 && sockets == most && run.requestsAtOnce <= most)
  }

  /// Ten pictures, each in its place, each on main, and main never busy for long.
  fileprivate mutating func notePictures(of run: ExampleRun) {
    let pictures = run.pictures
    let areRight =
      pictures.map(\.place).sorted() == Array(1...10) && pictures.allSatisfy { $0.bytes == 1000 + $0.place }
    note(
      Phrase(verbatim: run.result.id),
      areRight
        ? "shown in the order \(pictures.map { "\($0.place)" }.joined(separator: " ")), each in its place"
        : "\(.count(pictures.count, "picture")), not each in its place",
      "10 pictures, each in its place, shown on main", areRight && pictures.allSatisfy(\.isOnMain))
    let gap = run.result.mainThread.longestGap
    note(
      Phrase(verbatim: run.result.id), "main silent for \(Words.milliseconds(gap)) at most",
      "at most \(Words.amount(100, "ms"))",
      gap <= 0.1)
  }
}
