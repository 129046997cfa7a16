// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Reports

/// A person's session with `exercise watch`: one exercise at a time, checked when its file is saved.
struct WatchSession {
  private let options: ExerciseOptions
  private let exercises: [Exercise]
  private let checker: ExerciseChecker
  private let text: ExerciseText
  private let watch: SaveWatch
  private var place: Int
  /// The source that was checked last.
  private var checked: String?
  private var log = WatchLog()
  /// The notice that is to be said above the next check, for the screen is cleared before it.
  private var notice: Phrase?

  private var exercise: Exercise { exercises[place] }
  private var student: StudentFolder { options.student }

  /// A session that begins with the exercise at `place`.
  init(
    _ options: ExerciseOptions, _ exercises: [Exercise], at place: Int, _ checker: ExerciseChecker,
    _ text: ExerciseText,
    polling: Bool
  ) {
    (self.options, self.exercises, self.place) = (options, exercises, place)
    (self.checker, self.text, watch) = (checker, text, SaveWatch(polling: polling))
  }

  /// Goes on until the person quits.
  mutating func run() async throws {
    try await open()
    for await event in watch.events() {
      switch event {
      case .saved: try await checkIfChanged()
      case .key(let key): if try await !take(key) { return }
      case .closed: return
      }
    }
    try Task.checkCancellation()
  }

  /// Does what the key stands for; false where that is to quit.
  private mutating func take(_ key: Character) async throws -> Bool {
    switch key {
    case "q": return false
    case "n": try await move(1)
    case "p": try await move(-1)
    case "h": try hint()
    case "l": try list()
    case "c": try await checkAll()
    case "x": try await reset()
    default: try sayKeys()
    }
    return true
  }

  // MARK: - Exercises

  private mutating func move(_ step: Int) async throws {
    guard exercises.indices.contains(place + step) else {
      return try options.say(step > 0 ? "This is the last exercise." : "This is the first exercise.")
    }
    place += step
    try await open()
  }

  /// Hands the exercise out where it is not there yet, and checks it.
  private mutating func open() async throws {
    _ = try student.start(exercise, in: options.language)
    watch.add(student.file(of: exercise).deletingLastPathComponent())
    checked = nil
    try await checkIfChanged()
  }

  private mutating func checkIfChanged() async throws {
    guard let data = FileManager.default.contents(atPath: student.file(of: exercise).path) else {
      if checked != nil { try sayMissing() }
      checked = nil
      return
    }
    let source = exercise.id + String(decoding: data, as: UTF8.self)
    guard source != checked else { return }
    checked = source
    Terminal.clear()
    if let notice { try options.say(notice) }
    notice = nil
    if try await check(exercise) { try sayNext() }
    try sayKeys()
  }

  /// Checks an exercise below a line with the check's number and the time, and says what changed since its last check.
  private mutating func check(_ exercise: Exercise) async throws -> Bool {
    try options.say(log.begin())
    try Terminal.show("\(student.file(of: exercise).path)\n")
    let line = ProgressLine()
    line.show(text.style.catalogue("checking \(exercise.id)" as Phrase))
    defer { line.clear() }
    let result = try await checker.check(exercise, at: student.file(of: exercise).path)
    line.clear()
    try Terminal.show(result.compiler + text.text(result))
    let changes = log.take(result)
    if !changes.isEmpty { try Terminal.show(text.style.lines(changes)) }
    do throws(LessonKitError) {
      try student.checked(exercise, passed: result.outcome == .passed)
    } catch {
      options.terminal.messages.tell(error.phrase)
    }
    return result.outcome == .passed
  }

  private mutating func checkAll() async throws {
    var passed = 0
    Terminal.clear()
    let started = exercises.filter(student.has)
    for exercise in started { passed += try await check(exercise) ? 1 : 0 }
    try options.say("\(passed)/\(started.count) passed")
  }

  // MARK: - Words

  private func hint() throws {
    try options.showNextHint(of: exercise)
  }

  private func list() throws {
    let say = text.style.catalogue
    let rows = exercises.map { each in
      [
        "\(each.id == exercise.id ? ">" : " ") \(each.id)", say(student.state(of: each).words),
        each.manifest.title(options.language),
      ]
    }
    try Terminal.show(text.style.columns(rows))
  }

  private mutating func reset() async throws {
    let kept: URL?
    do throws(LessonKitError) {
      kept = try student.reset(exercise, in: options.language)
    } catch {
      return options.terminal.messages.tell(error.phrase)
    }
    watch.add(student.file(of: exercise).deletingLastPathComponent())
    if let kept { notice = "Your program is kept in \(kept.path)." }
    try await checkIfChanged()
    if let notice { try options.say(notice) }
    notice = nil
  }

  /// A word to a person who has passed, and what comes next.
  private func sayNext() throws {
    let words: Phrase
    if exercises.indices.contains(place + 1) {
      let next = exercises[place + 1]
      words = "Well done! Press n for the next exercise: \(next.id) \(next.manifest.title(options.language))."
    } else {
      words = "Well done! This was the last exercise; press l to see whether one is left."
    }
    try Terminal.show("\n" + text.style.lines(words))
    guard exercise.hasSolution else { return }
    try Terminal.show(text.style.lines("Solution and explanation: \(options.command("solution", exercise))"))
  }

  private func sayMissing() throws {
    try options.say(
      "\(Exercise.fileName) is gone. Save it again, or press x to get it as it was handed out.")
  }

  private func sayKeys() throws {
    try options.say("Save the file to check it.")
    try options.say("n next, p previous, h hint, l list, c check all, x reset, q quit")
  }
}
