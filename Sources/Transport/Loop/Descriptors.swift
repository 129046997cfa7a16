// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Whether the process can open anything at all.
enum Descriptors {
  /// EMFILE or ENFILE where not one descriptor is to be had at the moment; nil otherwise.
  static var shortage: Int32? {
    let one = eventfd(0, Int32(EFD_CLOEXEC))
    guard one < 0 else {
      close(one)
      return nil
    }
    return [EMFILE, ENFILE].contains(errno) ? errno : nil
  }
}
