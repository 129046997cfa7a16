// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A user that owns nothing on this machine, as whom a program runs that root grades.
///
/// Problem: within a namespace root keeps its number, by which the kernel lets it write to its own settings below /proc and
/// to every file of root's. Choice: a number that no account, no group and, by chance alone, no other grader has. Root gives
/// it the program's folder, and reads and removes what the program leaves there, as root may.
struct OtherUser: Sendable, Hashable {
  /// Numbers that no range of systemd's, of containers' or of login programs reaches, and others where a container has few.
  private static let ranges: [ClosedRange<UInt32>] = [0x7000_0000...0x7FFF_FFF0, 30_000...59_999]
  private static let tries = 100

  /// The number of the user and of its only group.
  let id: UInt32

  /// One for this process; nil where it is not root's, or no number is left that the kernel knows here.
  init?() {
    guard geteuid() == 0,
      let range = Self.ranges.first(where: { range in
        ["/proc/self/uid_map", "/proc/self/gid_map"].allSatisfy { Self.isKnown(range, by: $0) }
      })
    else { return nil }
    let numbers = (0..<Self.tries).lazy.map { _ in UInt32.random(in: range) }
    guard let free = numbers.first(where: { getpwuid($0) == nil && getgrgid($0) == nil }) else { return nil }
    id = free
  }

  /// True if a namespace's table (user_namespaces(7)) has a line that covers the range.
  private static func isKnown(_ range: ClosedRange<UInt32>, by table: String) -> Bool {
    let text = (try? String(contentsOfFile: table, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").contains { line in
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      guard numbers.count == 3 else { return false }
      return numbers[0] <= range.lowerBound && UInt64(range.upperBound) < numbers[0] + numbers[2]
    }
  }

  /// The command that starts the rest as this user, for good. With the user the kernel forgets that the process is to end
  /// with its parent (PR_SET_PDEATHSIG, prctl(2)), so it is said again.
  var command: [String] {
    [
      "/usr/bin/setpriv", "--reuid", "\(id)", "--regid", "\(id)", "--clear-groups", "--no-new-privs", "--inh-caps=-all",
      "--pdeathsig", "KILL",
    ]
  }

  /// Gives it a folder and all that is in it; links are not followed.
  func own(_ folder: String) {
    lchown(folder, id, id)
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
      lchown("\(folder)/\(name)", id, id)
    }
  }
}
