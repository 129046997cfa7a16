// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Which processors serve and which load, so that a figure is the program's own.
///
/// On loopback the kernel does a server's sending on the processor, and on the account, of whoever acknowledges what was
/// sent before, as soon as the server is kept from its own processor. So where a thread of one side gets in the server's way,
/// that side is charged for the server's work, each time for another part of it.
struct Processors {
  /// The first one.
  let servers: [Int]
  /// The others.
  let programs: [Int]

  /// Nil where this process may use only one.
  init?() {
    let all = Self.allowed
    guard all.count > 1 else { return nil }
    (servers, programs) = (Array(all.prefix(1)), Array(all.dropFirst()))
  }

  /// What the kernel allows this process: "Cpus_allowed_list: 0-1,4" (proc_pid_status(5)).
  private static var allowed: [Int] {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    guard let list = status.firstMatch(of: /Cpus_allowed_list:\s*(.+)/)?.output.1 else { return [] }
    return list.split(separator: ",").flatMap { range in
      let ends = range.split(separator: "-").compactMap { Int($0) }
      return ends.isEmpty ? [] : Array(ends[0]...ends[ends.count - 1])
    }
  }

  /// The command that runs `command` on these processors alone; the command itself for nil.
  static func keeping(_ command: [String], to processors: [Int]?) -> [String] {
    guard let processors else { return command }
    return ["taskset", "--cpu-list", processors.map(String.init).joined(separator: ",")] + command
  }
}
