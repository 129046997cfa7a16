// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The part of a lesson's text that shows what a recorded run measured: Markdown between two marks, which a script fills
/// in and nobody types.
public struct FigureTable {
  /// The columns of the table that a narrow terminal leaves out, in this order: processor, threads, requests, callbacks,
  /// growth, time.
  static let leftOut = [3, 5, 7, 6, 4, 2]

  private let figures: RunRecord.LessonFigures
  private let language: Language

  static let begin = "<!-- figures: filled in by Scripts/figures -->"
  static let end = "<!-- end of figures -->"

  /// The table of these figures, in the text's language.
  public init(_ figures: RunRecord.LessonFigures, in language: Language) {
    self.figures = figures
    self.language = language
  }

  /// The text with its figures replaced by these; where it has none yet they go before its last section.
  public func filledIn(_ text: String) -> String {
    let parts = text.split(separator: Self.begin, maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, let close = parts[1].range(of: Self.end) {
      return parts[0] + block + parts[1][close.upperBound...]
    }
    guard let section = text.range(of: "\n## ", options: .backwards) else { return text + "\n" + block + "\n" }
    return text[..<section.lowerBound] + "\n" + block + "\n" + text[section.lowerBound...]
  }

  /// Both marks with the table between them.
  private var block: String {
    ([Self.begin, "## \(title)", "", circumstances, "", row(head), row(head.map { _ in "---" })]
      + figures.examples.map { row(cells($0)) } + [Self.end]).joined(separator: "\n")
  }

  private var isChinese: Bool { language == .simplifiedChinese }

  private var title: String { isChinese ? "测得的数字" : "What was measured" }

  private var circumstances: String {
    let machine = figures.machine
    let size = Figures.size(figures.bodyBytes)
    let day = figures.started.prefix(10)
    return isChinese
      ? "\(day)，\(machine.system)，\(machine.processors) 个处理器，S = \(size)。"
      : "On \(day), \(machine.system), \(Figures.count(machine.processors, "processor")), S = \(size)."
  }

  private var head: [String] {
    isChinese
      ? ["例子", "结果", "时间", "处理器时间", "内存增长", "线程", "回调", "请求"]
      : ["example", "end", "time", "processor", "growth", "threads", "callbacks", "requests"]
  }

  private func cells(_ example: RunRecord.ExampleFigures) -> [String] {
    let outcome = example.outcome
    // A cancelled load reads the same on both sides; only a task's has an error.
    let error = outcome.kind == .cancelled ? nil : outcome.error
    let end = error.map { $0.name.isEmpty ? "\($0.domain) \($0.code)" : $0.name } ?? words(outcome.kind)
    return [
      example.id, end, Figures.time(example.time.wall), Figures.time(example.time.cpu), Figures.size(example.growth),
      "\(example.threads)", "\(example.callbacks)", "\(example.requests)",
    ]
  }

  private func words(_ kind: Outcome.Kind) -> String {
    guard isChinese else { return kind.words.description }
    return switch kind {
    case .finished: "完成"
    case .failed: "失败"
    case .cancelled: "被取消"
    case .noEnd: "没有结束"
    case .timedOut: "超过时限"
    case .crashed: "崩溃"
    case .notCompiled: "不能编译"
    }
  }

  private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
