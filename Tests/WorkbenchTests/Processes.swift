// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Other processes, as /proc shows them.
enum Processes {
  static func children(of parent: pid_t) -> [pid_t] {
    all().filter { stat($0).map { $0.parent == parent && $0.state != "Z" } ?? false }
  }

  /// True if the process is there and has not ended.
  static func lives(_ pid: pid_t) -> Bool { stat(pid).map { $0.state != "Z" } ?? false }

  static func arguments(of pid: pid_t) -> String {
    let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func all() -> [pid_t] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
  }

  private static func stat(_ pid: pid_t) -> (state: Substring, parent: pid_t)? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].dropFirst(2).split(separator: " ")
    guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
    return (fields[0], parent)
  }
}
