// SPDX-License-Identifier: Apache-2.0
// Writes the kernel's settings back as they are, which does no harm and shows that it could.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    if getuid() == 0 { seen("root") }
    for file in ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sys/kernel/hostname"] {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
      let descriptor = open(file, O_WRONLY)
      if descriptor >= 0, write(descriptor, text, text.utf8.count) > 0 { seen(file) }
    }
    let commands = [
      "/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/sys/kernel/uevent_helper", "/sys/power/state",
    ]
    for file in commands where access(file, W_OK) == 0 { seen(file) }
  }

  private static func seen(_ what: String) -> Never {
    print("seen:", what)
    exit(3)
  }
}
