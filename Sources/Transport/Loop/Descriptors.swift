// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// How many descriptors the process can still open.
enum Descriptors {
  /// The descriptors that one connection opens: its socket, and the socket pair over which libcurl's resolver thread reports.
  private static let wanted = 3

  /// EMFILE or ENFILE where there are not as many descriptors at the moment as a connection needs; nil otherwise.
  static var shortage: Int32? {
    var taken: [Int32] = []
    defer { for one in taken { close(one) } }
    while taken.count < wanted {
      let one = eventfd(0, Int32(EFD_CLOEXEC))
      guard one >= 0 else { return [EMFILE, ENFILE].contains(errno) ? errno : nil }
      taken.append(one)
    }
    return nil
  }

  /// True if `new`, the lowest that was free, is one of the last below the limit (RLIMIT_NOFILE), which idle connections leave to
  /// the rest of the process: as many as one connection opens, one for each of libdispatch's three clocks, and two for the file
  /// that it opens each second while its threads are busy. It ends the process (SIGILL) where it cannot open one of these.
  static func isAmongLast(_ new: Int32) -> Bool {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
    return rlim_t(new) + rlim_t(wanted) + 5 >= limit.rlim_cur
  }
}
