// SPDX-License-Identifier: Apache-2.0
// Writes a line without end to every descriptor that it has.
// Outcome: any
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<40 {
      for descriptor in 3..<64 where fcntl(Int32(descriptor), F_SETFL, O_NONBLOCK) == 0 {
        write(Int32(descriptor), piece, piece.count)
      }
      // Gives the reader at the other end time to take the piece, so that the line becomes long.
      usleep(2000)
    }
  }
}
