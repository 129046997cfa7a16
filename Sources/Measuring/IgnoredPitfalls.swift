// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit
public import Pitfalls
import Yams

/// The pitfalls that a team leaves in its programs, each with the reason: a file of lines `name: reason`.
public struct IgnoredPitfalls: Sendable, Hashable {
  /// The file's name, in the folder where the program is started.
  public static let fileName = ".workbench-pitfalls"

  /// The reasons, by the pitfall.
  public var reasons: [Pitfall: String]

  /// These pitfalls.
  public init(_ reasons: [Pitfall: String] = [:]) { self.reasons = reasons }

  /// What the file at `path` says; nothing where there is none.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` that names the line and says what has to stand there.
  public init(fileAt path: String) throws(LessonKitError) {
    self.init()
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw LessonKitError(
        .unreadable, "\(path) is no text in UTF-8: write lines such as never-resumed: why it may stay")
    }
    let node: Node?
    do { node = try compose(yaml: text) } catch {
      throw LessonKitError(.unreadable, "\(path) is no YAML: write lines such as never-resumed: why it may stay")
    }
    guard let node else { return }
    guard let mapping = node.mapping else { throw Self.bad(path, node, "there is no pitfall's name before a colon") }
    for (key, value) in mapping {
      guard let name = key.string, let pitfall = Pitfall(rawValue: name) else {
        throw Self.bad(path, key, "there is no pitfall “\(key.string ?? "")”; their names: workbench pitfalls")
      }
      guard let reason = value.string, !reason.isEmpty else {
        throw Self.bad(path, key, "“\(name)” has no reason: write behind the colon why it may stay")
      }
      reasons[pitfall] = reason
    }
  }

  private static func bad(_ path: String, _ node: Node, _ why: Phrase) -> LessonKitError {
    LessonKitError(.unreadable, "\(path), line \(node.mark?.line ?? 1): \(why)")
  }
}

extension CommandResult {
  /// Moves what is to be ignored out of each process's pitfalls.
  public mutating func ignore(_ ignored: IgnoredPitfalls) {
    for index in processes.indices {
      processes[index].ignored = processes[index].pitfalls.compactMap { seen in
        ignored.reasons[seen.pitfall].map { ProcessResult.Ignored(seen: seen, reason: $0) }
      }
      processes[index].pitfalls.removeAll { ignored.reasons[$0.pitfall] != nil }
    }
  }
}
