// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports

/// The runs of a folder: each a report as `run --json` prints it, in a file of its own.
struct RunFolder: Sendable {
  /// One run, by what its file's name says.
  struct Entry: Sendable, Hashable {
    /// The file's name without `.json`.
    var id: String
    /// When it began, such as `2026-11-23 04:10:22 UTC`; empty for a file of another origin.
    var date: String
    /// The lesson and the size.
    var name: String
  }

  /// The most entries that are listed; older ones stay on disk.
  static let most = 200
  private static let suffix = ".json"
  private static let mostBytes = 64 << 20

  /// The folder.
  let url: URL

  init(path: String) {
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  /// The runs, newest first.
  var entries: [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let ids = names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
    return ids.filter(Self.isPlain).sorted(by: >).prefix(Self.most).map(Entry.init)
  }

  /// Letters, digits, hyphens, points and underscores, so that an id stands in an address as it is.
  private static func isPlain(_ id: String) -> Bool {
    !id.hasPrefix(".") && !id.isEmpty
      && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
  }

  /// The report with this id, which is looked up among the entries.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` where there is none, `unreadable` where it is no report.
  func report(_ id: String) throws(LessonKitError) -> RunReport {
    guard entries.contains(where: { $0.id == id }) else {
      throw LessonKitError(.unknownName, "There is no run of this name in \(url.path).")
    }
    let file = url.appendingPathComponent(id + Self.suffix)
    let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int ?? 0
    guard size <= Self.mostBytes, let data = try? Data(contentsOf: file) else {
      throw LessonKitError(
        .unreadable, "The file “\(file.path)” cannot be read. Is it there, and may you read it?")
    }
    return try JSONReport.run(from: data, named: id)
  }

  /// Makes the folder where there is none yet.
  ///
  /// - Throws: `LessonKitError` with code `environment`.
  func prepare() throws(LessonKitError) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw cannotWrite
    }
  }

  /// Writes a report and answers its id. A file that is there stays.
  ///
  /// - Throws: `LessonKitError` with code `environment`.
  func store(_ report: RunReport, isPart: Bool) throws(LessonKitError) -> String {
    let date = report.started.filter { $0.isNumber || $0.isLetter }
    let lesson = report.lessons.count == 1 ? report.lessons[0].id : "\(report.lessons.count)-lessons"
    let isWhole = report.bodyBytes >= 1 << 20 && report.bodyBytes % (1 << 20) == 0
    let size = isWhole ? "\(report.bodyBytes >> 20)MiB" : "\(report.bodyBytes >> 10)KiB"
    let name = [date, lesson, size, isPart ? "part" : "", report.partial ? "interrupted" : ""]
      .filter { !$0.isEmpty }.joined(separator: "-")
    let known = Set(entries.map(\.id))
    let id = known.contains(name) ? (2...).lazy.map { "\(name)-\($0)" }.first { !known.contains($0) } ?? name : name
    do {
      let text = try JSONReport.text(report)
      try Data(text.utf8).write(to: url.appendingPathComponent(id + Self.suffix), options: .atomic)
    } catch {
      throw cannotWrite
    }
    return id
  }

  private var cannotWrite: LessonKitError {
    LessonKitError(
      .environment,
      "The report cannot be written to \(url.path). Free some space there, or start “workbench serve” in a folder that you may write to."
    )
  }
}

extension RunFolder.Entry {
  init(_ id: String) {
    self.id = id
    if let match = id.wholeMatch(of: #/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(.+)/#) {
      let (_, year, month, day, hour, minute, second, rest) = match.output
      date = "\(year)-\(month)-\(day) \(hour):\(minute):\(second) UTC"
      name = String(rest)
    } else {
      (date, name) = ("", id)
    }
  }
}
