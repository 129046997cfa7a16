// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit

/// A learning platform's table, from its file into the one with the grades.
struct GradebookFile {
  private let book: Gradebook
  private let output: OutputFile

  /// The platform whose table it is.
  var platform: LearningPlatform { book.platform }
  /// The names of its students as Canvas writes them into the names of files, by id.
  var names: [String: String] { book.names }
  /// The paths of both files.
  let paths: [String]

  /// A table at `path`. With the grades it goes into the folder of results, or takes its own place where the teacher asks for
  /// that.
  ///
  /// - Throws: `LessonKitError` where the one cannot be read, or the other not be written.
  init(
    _ path: String, to results: URL, inPlace: Bool, _ read: (Data) throws -> Gradebook
  ) throws {
    book = try read(try InputFile.contents(path))
    let filled = results.appendingPathComponent("\(book.platform.rawValue.lowercased()).csv")
    let isSame = filled.resolvingSymlinksInPath() == URL(fileURLWithPath: path).resolvingSymlinksInPath()
    guard inPlace || !isSame else {
      throw LessonKitError(
        .unreadable, "“\(path)” would be written over by the filled one. To have that, add --in-place.")
    }
    if !inPlace { try Self.make(results) }
    output = try OutputFile(inPlace ? path : filled.path)
    paths = [path, output.path]
  }

  private static func make(_ folder: URL) throws(LessonKitError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw LessonKitError(
        .environment, "The file \(folder.path) cannot be written. Is there space, and may you write it?")
    }
  }

  /// Puts in doubt what the table does not settle.
  func doubt(_ rows: inout [GradedHandIn]) { book.doubt(&rows) }

  /// Writes the table with the grades, and says what of it needs a look.
  ///
  /// - Throws: `LessonKitError` with code `environment` where it cannot be written now.
  func write(_ rows: [GradedHandIn], _ messages: Messages) throws(LessonKitError) {
    var book = book
    let filling = book.fill(rows, messages.catalogue)
    try output.write(book.text)
    let platform = platform.rawValue
    messages.tell(
      "\(platform): \(Phrase.count(filling.filled, "grade")) in \(output.path); \(filling.without) of its students have no hand-in."
    )
    let remarks: [(Phrase, [String])] = [
      ("no student in \(platform)'s file", filling.unknown), ("not graded, so left as it was", filling.ungraded),
      ("to look at, so left as it was", filling.open),
    ]
    for (words, names) in remarks where !names.isEmpty {
      messages.tell("\(words): \(names.sorted().map(FileNames.printable).joined(separator: ", "))")
    }
  }
}
