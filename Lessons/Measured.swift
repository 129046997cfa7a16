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
  var threads: Phrase { places.isEmpty ? "no thread" : places.map(\.words).joined() }

  /// True if its product is what the runner's reference says.
  var isRight: Bool { result.product?.comparison == .equal }

  /// True if its loads were given the server's body, each the whole of it.
  var hasWholeBodies: Bool { !result.loads.isEmpty && result.loads.allSatisfy { $0.isWhole == true } }

  /// The count of bytes at the end of the line that the program printed at this moment.
  func count(at moment: String) -> Int? {
    line(moment + ": ")?.text.split(separator: " ").dropLast().last.flatMap { Int($0) }
  }

  /// The part of the id after the slash.
  var name: String { String(result.id.drop { $0 != "/" }.dropFirst()) }

  /// What a finding calls the example: its id, with its side.
  var label: Phrase { Phrase(verbatim: result.id) }

  /// How many callbacks came to methods that the delegate has.
  var callbacks: Int { recording.callbacks.filter(\.implemented).reduce(0) { $0 + $1.count } }

  /// The first line the program printed that begins so, or nil.
  func line(_ beginning: String) -> PrintedLine? { recording.lines.first { $0.text.hasPrefix(beginning) } }

  /// When the program printed the first line that begins so.
  ///
  /// - Throws: `LessonKitError` when it never did.
  func instant(of beginning: String) throws(LessonKitError) -> Double { try printed(beginning).instant }

  private func printed(_ beginning: String) throws(LessonKitError) -> PrintedLine {
    guard let line = line(beginning) else {
      throw LessonKitError(.notMeasured, "\(result.id) never printed “\(beginning)”")
    }
    return line
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

  /// The resident memory when the program printed the first line that begins so, above the baseline.
  ///
  /// - Throws: `LessonKitError` when it never did.
  func growth(atLine beginning: String) throws(LessonKitError) -> Int {
    try printed(beginning).resident - result.memory.baseline
  }
}

extension Phrase {
  /// A line that a program printed, in quotation marks.
  static func quoted(_ line: String) -> Phrase { "“\(line)”" }

  /// An operation queue as a place: by its number, or by the name that it was given.
  static func queue(_ name: String) -> Phrase {
    name.hasPrefix("queue ") ? "on queue \(name.dropFirst(6))" : "on the queue “\(name)”"
  }
}

/// Figures in words, as claims show them. A no-break space keeps value and unit in one line.
enum Words {
  /// A value with its unit, such as `100 ms`.
  static func amount(_ value: some CustomStringConvertible, _ unit: String) -> String { "\(value)\u{A0}\(unit)" }

  /// A time in seconds, or in milliseconds where it is below a tenth of a second.
  static func seconds(_ seconds: Double) -> TimeShown {
    guard seconds.magnitude < 0.0995 else { return TimeShown(amount(String(format: "%.2f", seconds), "s")) }
    return TimeShown(amount(String(format: seconds.magnitude < 0.00995 ? "%.1f" : "%.0f", seconds * 1000), "ms"))
  }

  static func milliseconds(_ seconds: Double) -> TimeShown {
    TimeShown(amount(String(format: "%.1f", seconds * 1000), "ms"))
  }
  /// A number of bytes with the unit that suits it; to the byte where `isExact`.
  static func size(_ bytes: Int, isExact: Bool = false) -> String {
    if isExact || bytes.magnitude < 1024 { return amount(bytes, "B") }
    if bytes.magnitude < 1_048_576 { return amount(String(format: "%.0f", Double(bytes) / 1024), "KiB") }
    return amount(String(format: "%.1f", Double(bytes) / 1_048_576), "MiB")
  }
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
    note(
      run.label,
      "+\(Words.size(run.result.memory.growth)) = \(Words.amount(String(format: "%.2f", share), "S"))",
      range.upperBound.isFinite
        ? "\(Words.amount(range.lowerBound, "S")) to \(Words.amount(range.upperBound, "S"))"
        : "\(Words.amount(range.lowerBound, "S")) or more", range.contains(share))
  }

  /// The program grew by at most 4 MiB.
  mutating func noteFlat(_ run: ExampleRun) {
    note(
      run.label,
      "+\(Words.size(run.result.memory.growth)) for \(Words.size(run.result.outcome.bytes))",
      "at most \(Words.amount(4, "MiB"))", run.result.memory.growth <= Self.flatBound)
  }

  /// The program received what the server sent.
  mutating func noteBody(of run: ExampleRun) {
    let bytes = run.result.outcome.bytes
    note(
      run.label,
      run.hasWholeBodies ? "\(Words.size(bytes)), as sent" : "\(Words.size(bytes, isExact: true)), not as sent",
      "the server's bytes", run.hasWholeBodies)
  }

  /// The program left exactly this number of files with the server's body in its folder.
  mutating func noteFile(of run: ExampleRun, count: Int = 1) {
    let whole = run.files.filter(\.isBody)
    let words = run.files.map { file -> Phrase in
      file.isBody
        ? "file “\(file.path)”: \(Words.size(file.bytes)), as sent"
        : "file “\(file.path)”: \(Words.size(file.bytes, isExact: true)), not as sent"
    }.joined()
    note(
      run.label, run.files.isEmpty ? "no file" : words,
      count == 0 ? "no file with the body" : .count(count, "file with the body", "files with the body"),
      whole.count == count)
  }

  /// Pieces, totals and the expected total of progress reports agree with one another and with the size.
  mutating func noteProgress(of run: ExampleRun, size: Int) {
    let progress = run.recording.loads.first?.progress ?? LoadRecord.Progress()
    let ends = [progress.sumOfPieces, progress.lastTotal, progress.expected]
    let agree = ends.allSatisfy { $0 == Int64(size) }
    let words = ends.map { Words.size(Int($0), isExact: !agree) }
    note(
      run.label,
      "\(progress.count) reports, pieces sum to \(words[0]), last total \(words[1]) of \(words[2])",
      "all three = \(Words.size(size, isExact: !agree)), every total = the sum so far",
      progress.count >= 1 && agree && !progress.wasInconsistent && !progress.hasFallen)
  }

  /// The program read from its task how much had come, in mid-transfer and without a delegate.
  mutating func noteCount(of run: ExampleRun) {
    let (count, whole) = (run.count(at: "half a second later") ?? 0, run.result.outcome.bytes)
    note(
      run.label, "read from the task: \(Words.size(count)) of \(Words.size(whole))", "more than 0, and not all",
      count > 0 && count < whole)
  }

  /// All callbacks came to main, or none did.
  mutating func notePlaces(of run: ExampleRun, onMain: Bool) {
    note(
      run.label, "callbacks on \(run.threads)", onMain ? "main only" : "never main",
      !run.places.isEmpty && run.places.allSatisfy { $0.main == onMain })
  }
}
