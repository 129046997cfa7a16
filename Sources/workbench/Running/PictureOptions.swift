// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import Lessons
import Reports

/// The files that `run` can write besides what it prints.
struct PictureOptions: ParsableArguments {
  @Option(help: "Write the report as a page for a browser into this file.") var html: String?
  @Option(help: "Write what happened when as trace events, for Perfetto, Firefox Profiler or speedscope.")
  var trace: String?
  @Option(help: "Write the requests as an HTTP archive (HAR 1.2).") var har: String?
  @Option(help: "Write the claims' verdicts as JUnit XML.") var junit: String?

  private var named: [(path: String, picture: Picture)] {
    [(html, .page), (trace, .trace), (har, .archive), (junit, .cases)].compactMap { path, picture in
      path.map { ($0, picture) }
    }
  }

  func validate() throws {
    let paths = named.map(\.path)
    if Set(paths).count < paths.count { throw ValidationError(say: "Name a file of its own for each picture.") }
  }

  /// The files, after a look whether each of them can be written.
  ///
  /// - Throws: `LessonKitError` for the first one that cannot.
  func files() throws -> [PictureFile] {
    try named.map { try PictureFile(picture: $0.picture, file: OutputFile($0.path)) }
  }
}

/// A picture of a run: one model in, one text out.
enum Picture {
  case page, trace, archive, cases

  /// The text of the file.
  func text(of report: RunReport, _ style: TextStyle) throws -> String {
    switch self {
    case .page: try HTMLReport(report, .course(style.catalogue)).text()
    case .trace: try TraceReport(report).text()
    case .archive: try HARReport(report).text()
    case .cases: JUnitReport(report).text
    }
  }
}

/// A picture and the file that takes it.
struct PictureFile {
  var picture: Picture
  var file: OutputFile
}

extension HTMLReport.Setting {
  /// A page with the texts, the programs and the questions of the course.
  static func course(_ catalogue: StringCatalogue) -> Self {
    Self(catalogue: catalogue) { id in
      guard let known = Course.catalog.lessons.first(where: { $0.id == id }) else { return nil }
      let texts = LessonText()
      return LessonMaterial(
        markdown: try texts.text(of: known, in: catalogue.language),
        files: try SourcePage.files(of: known, texts), prediction: known.prediction
      ) { reference in
        try? texts.excerpt(reference, in: known)
      }
    }
  }
}
