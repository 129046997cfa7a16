// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// The child's way to talk to its parent: JSON lines over a pipe of its own.
///
/// The pipe arrives as standard output. The child takes it away before anything else runs and lets standard output go
/// where standard error goes, so whatever an example prints cannot get between the lines.
final class ResultPipe: Sendable {
  private let descriptor: Int32

  /// Takes standard output for itself. What the process prints from now on reaches standard error, line by line.
  init() {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    workbench_buffer_output_by_line()
  }

  /// Sends one message. A parent that has gone is no error: then nobody listens.
  func send(_ message: some Encodable) {
    guard var line = try? JSONEncoder().encode(message) else { return }
    line.append(UInt8(ascii: "\n"))
    line.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        sent += count
      }
    }
  }
}
