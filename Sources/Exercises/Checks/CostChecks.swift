// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Resident memory grows by at most so many bytes.
struct GrowthCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("growth", Set(["at_most"]), true)
  let most: Int
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.bytes("at_most") }
  var title: Phrase { "memory" }
  var wanted: Phrase { "growth of at most \(ByteWords.text(most))" }

  func judge(_ facts: RunFacts) -> Judgement { Judgement(bytes: facts.run.result.memory.growth, atMost: most) }
  func mark(_ facts: RunFacts) -> FigureMark { .memory(atMost: most, atEnd: false) }
}

/// So many bytes more than before are resident at the end; where a line is given, each time it is printed.
struct MemoryLeftCheck: DrawnCheck {
  static let (name, keys, isOutside) = ("memory_left", Set(["at_most", "line"]), false)
  let (most, line): (Int, String?)
  init(_ map: ManifestNode) throws(LessonKitError) {
    (most, line) = try (map.bytes("at_most"), map.find("line")?.text())
  }
  var title: Phrase { line.map { "memory when “\($0)” is printed" } ?? "memory at the end" }
  var wanted: Phrase { "at most \(ByteWords.text(most)) more than before" }

  func judge(_ facts: RunFacts) -> Judgement {
    let memory = facts.run.result.memory
    let printed = facts.run.recording.lines.filter { $0.text == line }.map(\.resident)
    guard let bytes = line == nil ? memory.curve.last?.bytes : printed.max() else {
      return line == nil ? .notMeasured : .notPrinted
    }
    let left = bytes - memory.baseline
    return Judgement("\(ByteWords.text(max(0, left))) more than before", left <= most)
  }

  func mark(_ facts: RunFacts) -> FigureMark { .memory(atMost: most, atEnd: true) }
}

/// The program is over after so many seconds at most.
struct TimeCheck: CheckKind {
  static let (name, keys, isOutside) = ("time", Set(["at_most"]), false)
  let most: Double
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.seconds("at_most") }
  var title: Phrase { "the time" }
  var wanted: Phrase { "at most \(most) s" }
  func judge(_ facts: RunFacts) -> Judgement { Judgement(seconds: facts.run.result.time.wall, atMost: most) }
}

/// The program uses so many seconds of processor time at most.
struct ProcessorCheck: CheckKind {
  static let (name, keys, isOutside) = ("processor", Set(["at_most"]), false)
  let most: Double
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.seconds("at_most") }
  var title: Phrase { "processor time" }
  var wanted: Phrase { "at most \(most) s" }
  func judge(_ facts: RunFacts) -> Judgement { Judgement(seconds: facts.run.result.time.cpu, atMost: most) }
}
