// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Measuring

/// The words of reports about a measured command and its processes.
enum MeasureWords {
  /// How it ended, and what it cost.
  static func sum(_ result: CommandResult) -> Phrase {
    "exit status \(result.status) · \(Figures.time(result.wall)) · \(Figures.size(result.memory.peak)) at most · \(Phrase.count(result.threads, "thread")) at most"
  }

  /// Names the parts that could not be measured.
  static func remarks(_ result: CommandResult) -> [Phrase] {
    var remarks: [Phrase] = []
    if result.processes.isEmpty {
      remarks.append(
        "No process of it used ConnectionAPI or SessionAPI, so no load could be seen: it links neither, or made no connection, session or configuration."
      )
    }
    if result.refused > 0 {
      remarks.append("\(result.refused) more processes ran at the same time and were not measured.")
    }
    if result.liars > 0 {
      remarks.append(
        "\(Phrase.count(result.liars, "connection")) to the measurement brought what no recorder of this version writes, and nothing else."
      )
    }
    return remarks
  }

  /// States the costs of a process.
  static func costs(_ process: ProcessResult) -> Phrase {
    let costs: Phrase =
      "\(Phrase.count(process.loads.count + process.unshown, "load")) · \(Figures.size(process.memory.peak)) at most · \(Phrase.count(process.threads, "thread")) at most"
    return process.longestMainWait == 0
      ? costs : "\(costs) · longest wait of a callback for main \(Figures.time(process.longestMainWait))"
  }

  /// Names the parts that could not be seen, and the loads and sessions that the program left over.
  static func leftovers(_ process: ProcessResult) -> [Phrase] {
    var sentences: [Phrase] = []
    let unstarted = process.loads.count { !$0.isStarted && $0.ended == nil && !$0.isIncomplete }
    let endless = process.loads.count { $0.isStarted && $0.ended == nil && !$0.isIncomplete }
    if unstarted > 0 { sentences.append("Left over: \(unstarted) never started") }
    if endless > 0 { sentences.append("Left over: \(endless) without an end") }
    if process.sessionsLeft > 0 {
      sentences.append("Left over: \(Phrase.count(process.sessionsLeft, "session")) never invalidated")
    }
    if process.lost > 0 {
      sentences.append("\(process.lost) events came too fast to be kept: figures of this process are too small.")
    }
    if process.sentNonsense {
      sentences.append("The process wrote what no recorder of this version writes; nothing was read after that.")
    }
    if !process.endedInOrder {
      sentences.append("It was killed, crashed, executed another program or was still there: measured until then.")
    }
    return sentences
  }

  /// The columns of the table of loads.
  static let heads: [Phrase] = [
    "status", "bytes", "time", "connection", "callbacks at", "longest wait", "load",
  ]

  /// The cells of loads that share a row.
  static func cells(_ group: LoadGroup, _ say: StringCatalogue) -> [String] {
    let load = group.load
    let end = load.ended.map { Figures.time(max(0, $0 - load.began)) }
    let connection = load.isNewConnection.map { isNew in
      isNew ? Phrase("new", of: "connection") : Phrase("kept", of: "connection")
    }
    let name = [load.method, load.url, load.error ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    return [
      load.error.map { _ in "✗" } ?? (load.status == 0 ? "–" : "\(load.status)"),
      load.bytes == 0 ? "–" : Figures.size(Int(clamping: load.bytes)),
      end ?? say(load.isIncomplete ? "–" : load.isStarted ? "no end" : "not started" as Phrase),
      connection.map(say.say) ?? "–",
      load.place.isEmpty ? "–" : say(PlaceWords.measured(load.place)),
      load.longestWait == 0 ? "–" : Figures.time(load.longestWait),
      group.count > 1 ? "\(group.count) × " + name : name,
    ]
  }
}
