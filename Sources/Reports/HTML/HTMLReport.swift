// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The report of a run as one self-contained page: text, code, drawings over time, claims. It needs no network, no other
/// file, and no script to be read.
public struct HTMLReport {
  /// The settings that the page is made with, besides the run.
  public struct Setting {
    /// The reader's language.
    public var catalogue: StringCatalogue
    /// The word that lets the page's own script and style through its security policy; a new one for each page.
    public var nonce = HTMLReport.freshNonce()
    /// The frame around the page where a server hands it out.
    public var frame = PageFrame()
    /// Answers what a lesson says, by its id; nil where there is nothing.
    public var material: (String) throws -> LessonMaterial?

    /// A setting as given.
    public init(catalogue: StringCatalogue, material: @escaping (String) throws -> LessonMaterial? = { _ in nil }) {
      self.catalogue = catalogue
      self.material = material
    }
  }

  private let report: RunReport
  private let setting: Setting
  private var say: StringCatalogue { setting.catalogue }

  /// A page of `report`.
  public init(_ report: RunReport, _ setting: Setting) {
    self.report = report
    self.setting = setting
  }

  /// The whole page.
  ///
  /// - Throws: what the setting's `material` throws; an `EncodingError` for a figure that JSON cannot hold.
  public func text() throws -> String {
    let templates = try PageTemplates()
    let ids = report.lessons.map(\.id)
    let sections = try report.lessons.map { lesson in
      try LessonSection(
        lesson, bodyBytes: report.bodyBytes, material: try setting.material(lesson.id),
        link: setting.frame.lessonLink ?? { LessonSection.link(within: ids, $0) },
        hint: setting.frame.linkHint, say: say, templates: templates
      ).html()
    }
    let summary = report.lessons.count > 1 ? PageSummary(report, say: say, templates: templates).html : ""
    return try PageShell(setting, templates).page(
      title: say(title), circumstances: [report.circumstances],
      remarks: report.partial ? ["The run was interrupted; this page shows what was measured until then."] : [],
      summary: summary, content: sections.joined())
  }

  private var title: Phrase {
    guard report.lessons.count == 1, let lesson = report.lessons.first else { return "What the lessons measured" }
    return "\(Phrase(verbatim: lesson.id)): \(Phrase(key: lesson.title))"
  }

  /// 128 bits by the system's generator, in letters that need no escape.
  public static func freshNonce() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
  }
}

extension RunReport {
  /// S, date, machine and version, as a picture says them.
  var circumstances: Phrase {
    let size = Figures.size(bodyBytes)
    let processors = Phrase.count(machine.processors, "processor")
    let memory = Figures.size(machine.memory)
    return
      "S = \(size) · \(started) · \(machine.system) · \(machine.architecture) · \(processors) · \(memory) of memory · workbench \(version ?? "?")"
  }
}
