// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The lesson at a glance: the example that does it wrong above the one that does it right, over one time axis, with the
/// lanes alone that matter. Two of them fit a projector's 768 rows.
struct LessonStrip {
  /// The two examples.
  struct Pair {
    let bad: ExampleResult
    let good: ExampleResult
    /// True if the first is the wrong form; else both are right, or it is not said which is.
    let isTold: Bool
  }

  private static let curveHeight = 44

  private let lesson: LessonResult
  private let pair: Pair
  private let scale: MemoryDrawing.Scale
  private let say: StringCatalogue

  /// A strip of the lesson's pair; nil where the run has not both.
  init?(_ lesson: LessonResult, _ material: LessonMaterial?, scale: MemoryDrawing.Scale, say: StringCatalogue) {
    guard let pair = Self.pair(of: lesson, material) else { return nil }
    (self.lesson, self.pair, self.scale, self.say) = (lesson, pair, scale, say)
  }

  /// The two that show the lesson's subject, else the first two whose code the lesson's text marks as wrong and right, else
  /// the first that are counterparts.
  static func pair(of lesson: LessonResult, _ material: LessonMaterial?) -> Pair? {
    if let subject = lesson.subject {
      let both = subject.examples.compactMap(lesson.example)
      if both.count == 2 { return Pair(bad: both[0], good: both[1], isTold: subject.hasWrongForm) }
    }
    let lines = material?.markdown.split(separator: "\n").map(String.init) ?? []
    for references in lines.compactMap(CodeReference.all) {
      let (wrong, right) = (references.first { $0.role == .wrong }, references.first { $0.role == .right })
      guard let wrong, let right else { continue }
      let good = examples(of: right, lesson, material)
      for bad in examples(of: wrong, lesson, material) {
        // Where one file holds both, the wrong one comes first.
        if let other = good.first(where: { $0.id != bad.id }) { return Pair(bad: bad, good: other, isTold: true) }
      }
    }
    return lesson.pairs.lazy.compactMap { pair in
      guard let bad = lesson.example(pair.connection), let good = lesson.example(pair.session) else { return nil }
      return Pair(bad: bad, good: good, isTold: false)
    }.first
  }

  private static func examples(
    of reference: CodeReference, _ lesson: LessonResult, _ material: LessonMaterial?
  ) -> [ExampleResult] {
    let file = material?.files.first { $0.name.hasSuffix("/\(reference.file)") }
    return file?.examples.compactMap { lesson.example($0) } ?? []
  }

  /// Makes the values that the template `strip` shows; `anchor` is the place of an example's whole figure.
  func values(anchor: (ExampleResult) -> String) -> [String: Any] {
    let axis = TimeAxis([pair.bad, pair.good])
    let roles: [(ExampleResult, String, String)] =
      pair.isTold
      ? [(pair.bad, "wrong", "✗ " + say("wrong" as Phrase)), (pair.good, "right", "✓ " + say("right" as Phrase))]
      : [(pair.bad, "", ""), (pair.good, "", "")]
    return [
      "label": say("The lesson at a glance" as Phrase),
      "examples": roles.map { example, role, words in
        let file = FileDrawing(example, beside: [pair.bad, pair.good], say: say)
        return
          ([
            "role": role, "words": words, "side": example.side.rawValue, "anchor": anchor(example), "id": example.id,
            "facts": facts(example).map { say($0) }.joined(separator: " · "),
            "svg": drawing(example, axis, hasFile: file != nil),
            "file": file?.html ?? "",
          ] as [String: Any]).compact
      },
    ]
  }

  /// The drawing; a file that is drawn below it takes the place of the memory curve.
  private func drawing(_ example: ExampleResult, _ axis: TimeAxis, hasFile: Bool) -> String {
    let data = TimelineData(example, axis: axis, say: say)
    let memory = hasFile ? nil : MemoryDrawing(data, scale: scale, axis: axis, say: say, height: Self.curveHeight)
    let drawing = TimelineDrawing(data, axis: axis, memory: memory, say: say, isBrief: true)
    return drawing.svg(label: say(ExampleFigure.alternative(example)))
  }

  /// The end, where it is spoilt the product, memory, silence of main, callbacks during a touch.
  private func facts(_ example: ExampleResult) -> [Phrase] {
    var facts = [example.outcome.kind.words]
    if let fault = ProductWords(example.product)?.fault { facts.append(fault) }
    if example.memory.peak > 0 {
      facts.append("memory +\(Figures.size(example.memory.growth))")
      facts.append("main silent for \(Figures.time(example.mainThread.longestGap))")
    }
    if let touch = example.happenings.touch, !example.hidesCallbacks {
      facts.append("\(Phrase.count(touch.callbacks, "callback")) during the touch")
    }
    return facts
  }
}

extension LessonResult {
  fileprivate func example(_ id: String) -> ExampleResult? { examples.first { $0.id == id } }
}
