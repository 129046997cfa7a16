// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// What the claims of several lessons ask about a run.
extension ExampleRun {
  /// The example's one load.
  ///
  /// - Throws: `LessonKitError` when there was none.
  func load() throws(LessonKitError) -> LoadRecord {
    guard let load = recording.loads.first else {
      throw LessonKitError(.notMeasured, "\(result.id) started no load")
    }
    return load
  }

  /// Every place a callback came to, each once.
  var places: [PlaceCount.ThreadID] {
    recording.places.map(\.thread).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The threads of the callbacks in words, such as `thread 4, thread 6`.
  var threads: String { places.isEmpty ? "no thread" : places.map(\.words).joined(separator: ", ") }

  /// The part of the id after the slash.
  var name: String { String(result.id.drop { $0 != "/" }.dropFirst()) }

  /// How many callbacks came.
  var callbacks: Int { recording.callbacks.reduce(0) { $0 + $1.count } }

  /// The first line the program printed that begins so, or nil.
  func line(_ beginning: String) -> PrintedLine? { recording.lines.first { $0.text.hasPrefix(beginning) } }

  /// When the program printed the first line that begins so.
  ///
  /// - Throws: `LessonKitError` when it never did.
  func instant(of beginning: String) throws(LessonKitError) -> Double {
    guard let line = line(beginning) else {
      throw LessonKitError(.notMeasured, "\(result.id) never printed “\(beginning)”")
    }
    return line.instant
  }

  /// When the load's end came: the last callback of the kind that ends one.
  var endInstant: Double? {
    let ends = [CallbackName.finish, CallbackName.fail, CallbackName.complete, CallbackName.handler]
    return recording.callbacks.filter { ends.contains($0.name) }.map(\.last).max()
  }

  /// The touch during the run.
  ///
  /// - Throws: `LessonKitError` when it did not come to that.
  func touch() throws(LessonKitError) -> Touch {
    guard let touch = recording.touch, touch.stretch.ended > touch.stretch.began else {
      throw LessonKitError(.notMeasured, "\(result.id) was over before the touch")
    }
    return touch
  }

  /// The resident memory at this instant, above the baseline.
  func growth(at instant: Double) -> Int {
    let point = result.memory.curve.last { $0.instant <= instant } ?? result.memory.curve.first
    return (point?.bytes ?? result.memory.peak) - result.memory.baseline
  }
}

/// Figures in words, as claims show them.
enum Words {
  static func seconds(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
  static func milliseconds(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1000) }
  static func mebibytes(_ bytes: Int) -> String { String(format: "%.1f MiB", Double(bytes) / 1_048_576) }
  static func ratio(_ part: Int, _ whole: Int) -> String {
    String(format: "%.2f", Double(part) / Double(max(1, whole)))
  }
}

/// Points that several claims note.
extension Findings {
  /// What a flat program may grow by, whatever the size of the body.
  static let flatBound = 4 << 20

  /// The program grew by a share of the body that lies in this range.
  mutating func noteGrowth(of run: ExampleRun, body: Int, in range: ClosedRange<Double>) {
    let share = Double(run.result.memory.growth) / Double(max(1, body))
    let upper = range.upperBound.isFinite ? " to \(range.upperBound) S" : " or more"
    note(
      "\(run.name): +\(Words.mebibytes(run.result.memory.growth)) = \(String(format: "%.2f", share)) S",
      "\(range.lowerBound) S\(upper)", range.contains(share))
  }

  /// The program grew by at most 4 MiB.
  mutating func noteFlat(_ run: ExampleRun) {
    note(
      "\(run.name): +\(Words.mebibytes(run.result.memory.growth)) for \(Words.mebibytes(run.result.outcome.bytes))",
      "at most 4 MiB", run.result.memory.growth <= Self.flatBound)
  }

  /// The program received what the server sent.
  mutating func noteBody(of run: ExampleRun) {
    let outcome = run.result.outcome
    note(
      "\(run.name): \(outcome.bytes) bytes, checksum \(outcome.checksumOK ? "equal" : "NOT equal")",
      "the server's bytes", outcome.checksumOK)
  }

  /// The program left exactly this number of files with the server's body in its folder.
  mutating func noteFile(of run: ExampleRun, count: Int = 1) {
    let whole = run.files.filter(\.isBody)
    let words =
      run.files.isEmpty ? "no file" : run.files.map { "\($0.path) of \($0.bytes) bytes" }.joined(separator: ", ")
    note(
      "\(run.name): \(words)", count == 0 ? "no file with the body" : "\(count) file with the body",
      whole.count == count)
  }

  /// Pieces, totals and the expected total of progress reports agree with one another and with the size.
  mutating func noteProgress(of run: ExampleRun, size: Int) {
    let progress = run.recording.loads.first?.progress ?? LoadRecord.Progress()
    let ends = [progress.sumOfPieces, progress.lastTotal, progress.expected]
    note(
      "\(run.name): \(progress.count) reports, pieces sum to \(ends[0]), last total \(ends[1]) of \(ends[2])",
      "all three = \(size), every total = the sum so far",
      progress.count >= 1 && ends.allSatisfy { $0 == Int64(size) } && !progress.wasInconsistent && !progress.hasFallen)
  }

  /// All callbacks came to main, or none did.
  mutating func notePlaces(of run: ExampleRun, onMain: Bool) {
    note(
      "\(run.name): callbacks on \(run.threads)", onMain ? "main only" : "never main",
      !run.places.isEmpty && run.places.allSatisfy { $0.main == onMain })
  }
}
