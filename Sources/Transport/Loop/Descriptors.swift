// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// True if the process can open anything at all.
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
}
