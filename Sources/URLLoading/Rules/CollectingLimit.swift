// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// How many bytes a body may have that is collected in memory: an endless one is to end its load, and not the process.
enum CollectingLimit {
  /// The environment's word for it, in bytes.
  static let variable = "WORKBENCH_COLLECTING_LIMIT"

  /// In bytes: what the environment says, else half of the memory that the process may use. Found out once.
  static let bytes = unsafe bytes(
    asked: getenv(variable).map { unsafe String(cString: $0) },
    memory: [
      Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE))), addressSpace ?? 0,
    ] + controlGroups { try? String(contentsOfFile: $0, encoding: .utf8) })

  /// The sentence of the error for a larger body.
  static var sentence: String {
    "The body has more than \(bytes) bytes, and no more are collected; \(variable) sets another limit."
  }

  /// The same for what was asked for and these amounts of memory, of which the least counts. What is no positive number is
  /// not asked for.
  static func bytes(asked: String?, memory: [Int64]) -> Int64 {
    if let asked = asked.flatMap({ Int64($0) }), asked > 0 { return asked }
    return (memory.filter { $0 > 0 }.min() ?? .max) / 2
  }

  /// RLIMIT_AS; nil where there is none.
  private static var addressSpace: Int64? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
    return Int64(exactly: limit.rlim_cur)
  }

  /// Reads the limits of the process's control group and of those above it (cgroups(7)): the service manager limits a service's
  /// own group. A process within a container may find its group at the root of these folders alone, under a path that does
  /// not exist there. `read` answers the text of a file; nil for one that cannot be read.
  static func controlGroups(_ read: (String) -> String?) -> [Int64] {
    var files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // The hierarchy's number, its controllers, the group's path; of version 2 the number is 0 and there are none.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isUnified = parts[0] == "0" && parts[1].isEmpty
      guard isUnified || parts[1].split(separator: ",").contains("memory") else { continue }
      let names = parts[2].split(separator: "/")
      // A group outside of the process's namespace has no file here.
      guard !names.isEmpty, !names.contains("..") else { continue }
      for count in 1...names.count {
        let group = names.prefix(count).joined(separator: "/")
        files.append(
          isUnified ? "/sys/fs/cgroup/\(group)/memory.max" : "/sys/fs/cgroup/memory/\(group)/memory.limit_in_bytes")
      }
    }
    return files.compactMap { read($0).flatMap { Int64($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }
  }
}
