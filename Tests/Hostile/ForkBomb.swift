// SPDX-License-Identifier: Apache-2.0
// Starts processes without end, by every call that there is.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    typealias Fork = @convention(c) () -> pid_t
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup("sleep 1000 & sleep 1000"), nil]
    for _ in 0..<1000 {
      for name in ["fork", "vfork"] {
        guard let symbol = dlsym(nil, name) else { continue }
        // Each child stays for good: its life is what the grader has to end.
        if unsafeBitCast(symbol, to: Fork.self)() == 0 { while true { sleep(1000) } }
      }
      var child: pid_t = 0
      posix_spawn(&child, "/bin/sh", nil, nil, words, nil)
    }
  }
}
