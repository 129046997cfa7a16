// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// The child's way to talk to its parent: JSON lines over a pipe of its own.
///
/// The pipe arrives as standard output. The child takes it away before anything else runs and lets standard output go
/// where standard error goes, so whatever an example prints cannot get between the lines. Its own descriptor has a number
/// that nothing else uses and that differs from run to run, so that a stray write or close does not meet it.
final class ResultPipe: Sendable {
  private let descriptor: Int32
  private let seal: ResultSeal?

  /// Takes standard output for itself. What the process prints from now on reaches standard error, line by line. With a
  /// `seal`, each message bears it.
  init(_ seal: ResultSeal? = nil) {
    self.seal = seal
    // OpenSSL takes the memory that a seal needs now, before anything is measured.
    _ = seal?.sealed([])
    let number = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, Int32.random(in: 128..<960))
    descriptor = number >= 0 ? number : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    workbench_buffer_output_by_line()
  }

  /// Sends one message. A parent that has gone is no error: then nobody listens.
  func send(_ message: some Encodable) {
    guard let text = try? JSONEncoder().encode(message) else { return }
    var line = seal.map { $0.sealed(text) } ?? Array(text)
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
