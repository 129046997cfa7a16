// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
public import LessonKit

/// A person's own program: one Swift file, as it was when it was read.
public struct StudentFile: Sendable, Hashable {
  /// One of the two libraries that a program loads with.
  enum API: String, CaseIterable {
    case connection = "ConnectionAPI"
    case session = "SessionAPI"
  }

  private static let largest = 1 << 20

  /// Its path, as the person wrote it.
  public let path: String
  /// Its text.
  public let source: String
  /// Its name without folders and without `.swift`.
  public var name: String {
    let last = URL(fileURLWithPath: path).lastPathComponent
    return last.hasSuffix(".swift") ? String(last.dropLast(".swift".count)) : last
  }

  /// True if an argument means a file and not a lesson: it ends with `.swift` or has a slash in it.
  public static func isMeant(by argument: String) -> Bool {
    argument.hasSuffix(".swift") || argument.contains("/")
  }

  /// Reads the file.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it is missing, no file, larger than 1 MiB, not readable or
  ///   not UTF-8.
  public init(reading path: String) throws(LessonKitError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LessonKitError(.unreadable, "“\(path)” is no file. Name the file with your program in it.")
    }
    guard status.st_size <= Self.largest else {
      throw LessonKitError(
        .unreadable, "“\(path)” has \(status.st_size) bytes. A program may have 1 MiB; is it the right file?")
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw Self.unreadable(path, EACCES) }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw LessonKitError(
        .unreadable,
        "“\(path)” is not UTF-8: line \(Self.brokenLine(of: data)) has bytes that are no text. "
          + "Save it as UTF-8 in your editor.")
    }
    self.init(path: path, source: text)
  }

  init(path: String, source: String) {
    self.path = path
    self.source = source
  }

  /// The libraries that the file imports.
  var imports: Set<API> { Set(modules.compactMap(API.init(rawValue:))) }

  /// Every module that the file imports.
  var modules: Set<String> {
    let lines = SwiftText(source).code.split(whereSeparator: \.isNewline)
    return Set(lines.flatMap { line in line.split(separator: ";").compactMap(Self.module(importedBy:)) })
  }

  /// The module that an import statement names, whatever stands before and behind it.
  private static func module(importedBy statement: Substring) -> String? {
    let words = statement.split { $0 == " " || $0 == "\t" || $0 == "." }
    guard let place = words.firstIndex(of: "import") else { return nil }
    let kinds: Set<Substring> = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor"]
    return words[(place + 1)...].first { !kinds.contains($0) }.map(String.init)
  }

  /// The first line of `data` that is no UTF-8, from 1.
  static func brokenLine(of data: Data) -> Int {
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
  }

  private static func unreadable(_ path: String, _ code: Int32) -> LessonKitError {
    switch code {
    case ENOENT, ENOTDIR: LessonKitError(.unreadable, "There is no file “\(path)”. Is the path right?")
    default:
      LessonKitError(
        .unreadable, "“\(path)” cannot be read: \(String(cString: strerror(code))). Make it readable for this user.")
    }
  }
}
