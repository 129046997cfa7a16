// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// How many bytes a body may have that is collected in memory: an endless one is to end its load, and not the process.
enum CollectingLimit {
  /// The environment's word for it, in bytes.
  static let variable = "WORKBENCH_COLLECTING_LIMIT"

  /// In bytes: what the environment says, else half of the memory that the process may use. Found out once.
  static let bytes = bytes(
    asked: getenv(variable).map { String(cString: $0) },
    memory: [
      Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE))),
      addressSpace, controlGroup("/sys/fs/cgroup/memory.max"),
      controlGroup("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
    ].compactMap { $0 })

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
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
    return Int64(exactly: limit.rlim_cur)
  }

  /// What a container is given (cgroups(7)); nil where there is none, or no limit. A process within a container finds its own
  /// group at the root of these folders.
  private static func controlGroup(_ path: String) -> Int64? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return Int64(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
