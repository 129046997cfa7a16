// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit
public import Measuring

/// The report of a run as Trace Event JSON, for Perfetto, Firefox Profiler and speedscope.
///
/// Each example is a process that starts at 0, so that both columns lie over each other. A callback is a slice without
/// extent: the model has its instant, and no duration is made up. Transfers and requests overlap, so they are
/// asynchronous.
public struct TraceReport {
  private struct File: Encodable {
    var traceEvents: [TraceEvent]
    var otherData: [String: String]
  }

  private let processes: [TraceProcess]
  private let circumstances: String

  /// A trace of `report`.
  public init(_ report: RunReport) {
    let examples = report.lessons.flatMap { lesson in lesson.examples.map { (lesson.id, $0) } }
    processes = examples.enumerated().map { index, entry in TraceProcess(entry.1, of: entry.0, pid: index + 1) }
    circumstances = report.circumstances.description
  }

  /// A trace of a measured command: its processes, each from its own begin.
  public init(_ result: CommandResult) {
    processes = result.processes.enumerated().map { index, process in
      TraceProcess(process.example, of: process.command, pid: index + 1)
    }
    circumstances = result.command.joined(separator: " ")
  }

  /// The JSON, a line break at the end.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  public func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let file = File(
      traceEvents: processes.flatMap(\.events), otherData: ["circumstances": circumstances])
    return String(decoding: try encoder.encode(file), as: UTF8.self) + "\n"
  }
}
