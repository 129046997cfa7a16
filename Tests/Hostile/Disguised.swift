// SPDX-License-Identifier: Apache-2.0
// Asks for memory that belongs to no process: files without a disk, and shared segments.
// Outcome: failed
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  private typealias Call = @convention(c) (Int, Int, Int, Int) -> Int
  #if arch(x86_64)
    private static let (create, secret, segment) = (319, 447, 29)
  #else
    private static let (create, secret, segment) = (279, 447, 194)
  #endif

  static func run(_ app: ExerciseContext) {
    guard let found = dlsym(nil, "syscall") else { return }
    let call = unsafeBitCast(found, to: Call.self)
    let name = strdup("disguised")
    if call(create, Int(bitPattern: name), 0, 0) >= 0 { exit(3) }
    if call(secret, 0, 0, 0) >= 0 { exit(4) }
    if call(segment, Int(IPC_PRIVATE), 1 << 20, 0o1600) >= 0 { exit(5) }
  }
}
