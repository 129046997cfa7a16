// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// A network with the loopback interface alone, for programs that are not trusted.
///
/// Problem: the programs load from the lesson server, so they must be in one network with it, and with nothing else.
/// Choice: the checking process itself goes there, at its very start, and the server and all programs with it. A process
/// around it would hear the signals in its place.
public enum OwnNetwork {
  /// Enters one, unless the process is in such a network already. Call it before any thread is started; where the right is
  /// missing, nothing changes, and `isEntered` says so.
  public static func enter() {
    if !isEntered { _ = workbench_enter_loopback() }
  }

  /// True if no interface but loopback has an address.
  public static var isEntered: Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return false }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr else { continue }
      let isInternet = [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
      if isInternet && entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0 { return false }
    }
    return true
  }
}
