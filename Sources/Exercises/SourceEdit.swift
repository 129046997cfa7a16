// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A program kept as an edit of another one, its base: a unified diff, as `diff -U1` writes it and `patch` applies it.
///
/// `patch` looks for lines that have moved. Here a hunk fits at the line that its head names, or the edit is refused, so that
/// the edit alone settles every byte of the program.
struct SourceEdit: Sendable {
  /// Lines of the base, and those that take their place; each has its line feed.
  private struct Hunk {
    /// The line of the base that its head names, from 1; the one before it where it takes none away.
    let line: Int
    /// How many lines stand before it: in the base, in the program.
    let before: (base: Int, program: Int)
    var base: [Substring] = []
    var program: [Substring] = []
  }

  /// The base, as the exercise names it, such as `Solution.swift`.
  let base: String
  private let file: String
  private let hunks: [Hunk]

  /// Reads the edit that makes `program` from its text. Errors call it `file`.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`; its sentence names the line.
  init(parsing text: String, file: String, making program: String) throws(LessonKitError) {
    let lines = Self.lines(of: text)
    guard let base = lines.first.flatMap({ Self.name(in: $0, after: "--- ") }) else {
      throw Self.unreadable(file, 1, "here belongs “--- ” before the name of the program that the edit changes")
    }
    guard lines.count > 1, let made = Self.name(in: lines[1], after: "+++ "),
      made == program || made.hasSuffix("/\(program)")
    else { throw Self.unreadable(file, 2, "here belongs “+++ \(program)”") }
    (self.file, self.base) = (file, base)
    var hunks: [Hunk] = []
    var rest = lines[2...]
    repeat { hunks.append(try Self.hunk(from: &rest, in: file)) } while !rest.isEmpty
    self.hunks = hunks
  }

  /// Applies the edit to the base's text.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when the edit is none of this text; its sentence names hunk and line.
  func applied(to text: String) throws(LessonKitError) -> String {
    let lines = Self.lines(of: text)
    var program: [Substring] = []
    var used = 0
    for (number, hunk) in zip(1..., hunks) {
      guard hunk.before.base <= lines.count else { throw lacking(hunk.line, number) }
      guard hunk.before.base >= used, program.count + hunk.before.base - used == hunk.before.program else {
        throw misfit(number, "the lines that its head names do not follow from the hunks before it")
      }
      program += lines[used..<hunk.before.base]
      used = hunk.before.base
      for expected in hunk.base {
        guard used < lines.count else { throw lacking(used + 1, number) }
        guard lines[used].utf8.elementsEqual(expected.utf8) else {
          throw misfit(
            number, "line \(used + 1) of \(base) is “\(Self.shown(lines[used]))”, not “\(Self.shown(expected))”")
        }
        used += 1
      }
      program += hunk.program
    }
    program += lines[used...]
    guard program.dropLast().allSatisfy(Self.isEnded) else {
      throw misfit(hunks.count, "a line that is not the last one lacks its end")
    }
    return program.joined()
  }

  // MARK: - Reading

  /// The name in a line of the header; `diff` adds a tabulator and the time.
  private static func name(in line: Substring, after mark: String) -> String? {
    guard line.hasPrefix(mark), isEnded(line) else { return nil }
    let name = line.dropFirst(mark.count).prefix { $0 != "\t" && !$0.isNewline }
    return name.isEmpty ? nil : String(name)
  }

  private static func hunk(from rest: inout ArraySlice<Substring>, in file: String) throws(LessonKitError) -> Hunk {
    let place = rest.startIndex + 1
    guard let head = rest.popFirst()?.wholeMatch(of: #/@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@.*\n/#),
      let line = Int(head.1), let count = Int(head.2 ?? "1"), let newLine = Int(head.3),
      let newCount = Int(head.4 ?? "1"), line > 0 || count == 0, newLine > 0 || newCount == 0
    else { throw unreadable(file, place, "here belongs the head of a hunk, such as @@ -3,2 +3,4 @@") }
    var hunk = Hunk(line: line, before: (count == 0 ? line : line - 1, newCount == 0 ? newLine : newLine - 1))
    while hunk.base.count < count || hunk.program.count < newCount {
      guard var next = rest.first, isEnded(next), let sign = next.utf8.first, " \n+-".utf8.contains(sign) else { break }
      rest.removeFirst()
      // POSIX leaves it to diff whether an empty line of both has its space.
      if sign != UInt8(ascii: "\n") { next = Substring(next.utf8.dropFirst()) }
      // “\ No newline at end of file”, in whatever language.
      if rest.first?.hasPrefix("\\") == true {
        rest.removeFirst()
        next = Substring(next.utf8.dropLast())
      }
      if sign != UInt8(ascii: "+") { hunk.base.append(next) }
      if sign != UInt8(ascii: "-") { hunk.program.append(next) }
    }
    guard hunk.base.count == count, hunk.program.count == newCount else {
      throw unreadable(file, place, "the hunk does not have the \(count) and \(newCount) lines that its head promises")
    }
    return hunk
  }

  /// The lines of a text, each with its line feed; a carriage return before it belongs to the line.
  private static func lines(of text: String) -> [Substring] {
    var (lines, rest) = ([Substring](), text[...])
    while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
      let next = rest.utf8.index(after: end)
      lines.append(rest[..<next])
      rest = rest[next...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  private static func isEnded(_ line: Substring) -> Bool { line.utf8.last == UInt8(ascii: "\n") }

  // MARK: - Errors

  private static func shown(_ line: Substring) -> String { String(isEnded(line) ? line.dropLast() : line) }

  private static func unreadable(_ file: String, _ line: Int, _ what: Phrase) -> LessonKitError {
    LessonKitError(.unreadable, "\(file), line \(line): \(what)")
  }

  private func misfit(_ number: Int, _ what: Phrase) -> LessonKitError {
    LessonKitError(.unreadable, "\(file), hunk \(number): \(what)")
  }

  private func lacking(_ line: Int, _ number: Int) -> LessonKitError { misfit(number, "\(base) has no line \(line)") }
}
