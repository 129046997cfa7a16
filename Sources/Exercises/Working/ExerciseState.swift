// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// How far a student is with an exercise.
public enum ExerciseState: String, Sendable, Hashable, CaseIterable {
  /// Not started.
  case new
  /// The files are there; nothing was checked yet.
  case started
  /// The last check failed.
  case failing
  /// The last check passed.
  case passed
}

extension ExerciseState {
  /// The state as a person reads it.
  public var words: Phrase {
    switch self {
    case .new: "new"
    case .started: "started"
    case .failing: "failing"
    case .passed: "passed"
    }
  }
}

/// The notes on a student's folder: a text file of a line an exercise, safe to read, to copy and to lose. It is never the
/// truth about a program; `check --all` finds that again.
struct StateNotes: Sendable, Hashable {
  static let fileName = ".workbench"
  private static let head = """
    # Notes of the workbench on the exercises in this folder. “workbench exercise check --all” finds the states again.
    format 1

    """

  /// The notes on one exercise.
  struct Entry: Sendable, Hashable {
    var state = ExerciseState.new
    /// How many hints the student has seen.
    var hints = 0
    /// True if the solution was shown before the exercise was passed.
    var revealed = false
  }

  /// The entries by the exercise's id.
  private(set) var entries: [String: Entry] = [:]

  init() {}

  /// Reads the notes. What it does not understand says nothing.
  init(parsing text: String) {
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count >= 2, let state = ExerciseState(rawValue: String(words[1])) else { continue }
      var entry = Entry(state: state)
      for word in words.dropFirst(2) {
        if word.hasPrefix("hints=") { entry.hints = min(100, max(0, Int(word.dropFirst("hints=".count)) ?? 0)) }
        if word == "revealed" { entry.revealed = true }
      }
      entries[String(words[0])] = entry
    }
  }

  /// The notes on the exercise with this id.
  subscript(id: String) -> Entry {
    get { entries[id] ?? Entry() }
    set { entries[id] = newValue }
  }

  /// The file's text.
  var text: String {
    Self.head
      + entries.sorted { $0.key < $1.key }.map { id, entry in
        "\(id) \(entry.state.rawValue) hints=\(entry.hints)\(entry.revealed ? " revealed" : "")\n"
      }.joined()
  }
}
