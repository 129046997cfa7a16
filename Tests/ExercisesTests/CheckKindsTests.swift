// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

extension CheckKinds {
  /// The check that a manifest says by this map.
  static func parsing(_ map: String) throws -> any CheckKind {
    try read(ManifestNode(parsing: map, file: "exercise.yml"))
  }
}

/// What holds of every kind of check.
@Suite struct CheckKindsTests {
  /// Each kind in each of the forms that are said in words of their own.
  private static let samples = [
    "{kind: requests, exactly: 1}", "{kind: requests, at_least: 1, at_most: 2, path: /a, method: GET}",
    "{kind: answered, status: 304, exactly: 2}", "{kind: answered, status: 304, path: /a, at_most: 2}",
    "{kind: whole, exactly: 0}", "{kind: sockets, at_most: 2}", "{kind: sent, beyond_body: 1KiB}",
    "{kind: largest, path: /a, at_least: 1B}", "{kind: largest, path: /a, at_most: 1B}",
    "{kind: largest, path: /a, at_least: 1B, at_most: 2B}", "{kind: received, path: /a}",
    "{kind: carried, method: POST}", "{kind: header, name: A}", "{kind: header, name: A, value: a}",
    "{kind: without_header, name: A}", "{kind: without_header, name: A, path: /a}",
    "{kind: values, name: A, exactly: 2}", "{kind: sequence, name: A, values: [none, a]}",
    "{kind: unspoken, texts: [a], path: /a}", "{kind: at_once, at_least: 2}", "{kind: lasting, path: /a, at_least: 1}",
    "{kind: over, path: /a, before: /b}", "{kind: apart, path: /a, at_least: 1}", "{kind: file, name: a}",
    "{kind: file, name: a, content: secondVersion}", "{kind: file, name: a, content: thirdVersion}",
    "{kind: files, prefix: a, exactly: 2}", "{kind: files, prefix: a, exactly: 2, content: numbered}",
    "{kind: left, at_most: 1KiB}", "{kind: opens, at_most: 2}", "{kind: growth, at_most: 8MiB}",
    "{kind: memory_left, at_most: 4MiB}", "{kind: memory_left, at_most: 4MiB, line: on}", "{kind: time, at_most: 2}",
    "{kind: processor, at_most: 2}",
    "{kind: threads, at_most: 6}", "{kind: threads_left, at_most: 0}", "{kind: own_threads, exactly: 0}",
    "{kind: callback_threads, exactly: 1}", "{kind: wakeups, at_most: 60}", "{kind: wakeups, line: on, at_most: 60}",
    "{kind: main_gap, at_most: 0.5}", "{kind: callbacks_on_main, exactly: 0}", "{kind: starts_on_main, exactly: 0}",
    "{kind: main_wakeups, at_most: 60}", "{kind: result}", "{kind: result, equals: a}",
    "{kind: result, equals: \"{name}\"}",
    "{kind: result, equals: \"{newName}\"}", "{kind: result, equals: \"{endings}\"}",
    "{kind: result, equals: \"{sum}\"}", "{kind: results, equals: a}", "{kind: results, equals: \"{name}\"}",
    "{kind: label}", "{kind: label, equals: a}", "{kind: label, equals: \"{name}\"}", "{kind: progress, at_least: 1}",
    "{kind: progress, at_least: 2}", "{kind: progress, at_least: 2, until: 0.5}",
    "{kind: progress, at_most: 1, until: 0}", "{kind: progress, at_least: 2, during: /a}",
    "{kind: touched, at_least: 3}", "{kind: touched, at_least: 3, rise: 0.2}", "{kind: loads, at_most: 1}",
    "{kind: api, side: connection}",
    "{kind: api, side: session, at_least: 2}", "{kind: api, side: any}", "{kind: printed, line: on}",
    "{kind: goes_on, line: on, at_most: 0.5}",
  ]

  @Test func `each kind has a name of its own, and is among those that are said here`() throws {
    let names = CheckKinds.all.map { $0.name }
    #expect(Set(names).count == names.count)
    #expect(try Set(Self.samples.map { type(of: try CheckKinds.parsing($0)).name }) == Set(names))
  }

  @Test(arguments: samples) func `subject and requirement are said in both languages`(_ map: String) throws {
    let check = try CheckKinds.parsing(map)
    let say = try StringCatalogue(.simplifiedChinese, root: LessonText().root)
    for phrase in [check.title, check.wanted] {
      #expect(!phrase.description.isEmpty)
      for part in phrase.all where part.needsTranslation { #expect(say(part) != part.description, "“\(part.key)”") }
    }
  }

  @Test(arguments: CheckKinds.all.map { $0.name })
  func `a key that a kind does not have is refused`(_ name: String) throws {
    let error = #expect(throws: LessonKitError.self) { try CheckKinds.parsing("{kind: \(name), unheard: 1}") }
    #expect(error?.description == "exercise.yml:1: the key “unheard” is not known here")
  }

  @Test func `the new manifest names every kind`() throws {
    let manifest = try String(
      contentsOf: LessonText().root.appendingPathComponent("Texts/new-exercise/exercise/exercise.yml"), encoding: .utf8)
    let words = Set(manifest.split { !$0.isLetter && $0 != "_" }.map(String.init))
    #expect(CheckKinds.all.filter { !words.contains($0.name) }.isEmpty)
  }
}
