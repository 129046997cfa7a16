// SPDX-License-Identifier: Apache-2.0
// Looks for a way to another machine.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    var first: UnsafeMutablePointer<ifaddrs>?
    getifaddrs(&first)
    while let entry = first?.pointee {
      if let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      {
        print("seen:", String(cString: entry.ifa_name))
        exit(3)
      }
      first = entry.ifa_next
    }
  }
}
