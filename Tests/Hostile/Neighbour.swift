// SPDX-License-Identifier: Apache-2.0
// Looks for a process that it could read, write, take descriptors from or put limits on: the sandbox, the grader, the server.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  private typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
  /// Calls by their numbers, which are the same on both architectures or stand here for each.
  #if arch(x86_64)
    private static let (trace, read, write, limit, uring) = (101, 310, 311, 302, 425)
  #else
    private static let (trace, read, write, limit, uring) = (117, 270, 271, 261, 425)
  #endif

  static func run(_ app: ExerciseContext) {
    guard let found = dlsym(nil, "syscall") else { return }
    let call = unsafeBitCast(found, to: Call.self)
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes.withUnsafeMutableBytes { buffer in
      var pieces = [iovec(iov_base: buffer.baseAddress, iov_len: 8), iovec(iov_base: buffer.baseAddress, iov_len: 8)]
      for process in 1..<70_000 where process != Int(getpid()) && kill(pid_t(process), 0) == 0 || process == 1 {
        guard process != Int(getpid()) else { continue }
        for file in ["mem", "environ", "maps", "fd/0", "root/etc/passwd"] {
          if open("/proc/\(process)/\(file)", O_RDONLY) >= 0 { seen("\(file) of \(process)") }
        }
        if open("/proc/\(process)/mem", O_RDWR) >= 0 { seen("memory of \(process)") }
        let taken = call(434, process, 0, 0, 0, 0, 0)  // pidfd_open, then pidfd_getfd
        if taken >= 0, call(438, taken, 0, 0, 0, 0, 0) >= 0 { seen("a descriptor of \(process)") }
        if call(trace, 16, process, 0, 0, 0, 0) >= 0 { seen("a trace of \(process)") }
        let place = Int(bitPattern: buffer.baseAddress)
        pieces.withUnsafeMutableBytes { vector in
          let vector = Int(bitPattern: vector.baseAddress)
          if call(read, process, vector, 1, vector + 16, 1, 0) >= 0 { seen("a reading of \(process)") }
          if call(write, process, vector, 1, vector + 16, 1, 0) >= 0 { seen("a writing to \(process)") }
        }
        if call(limit, process, 7, 0, place, 0, 0) >= 0 { seen("the limits of \(process)") }
      }
      if call(uring, 1, Int(bitPattern: buffer.baseAddress), 0, 0, 0, 0) >= 0 { seen("a ring") }
    }
  }

  private static func seen(_ what: String) -> Never {
    print("seen:", what)
    exit(3)
  }
}
