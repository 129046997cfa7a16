// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Glibc
import Reports

/// When to use colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case always, never, auto
}

/// The option every command that prints for a person has.
struct TerminalOptions: ParsableArguments {
  @Option(help: "Use colour: always, never, or auto (on a terminal, unless NO_COLOR is set).")
  var color = ColorChoice.auto

  /// How to print on standard output.
  var style: TextStyle {
    TextStyle(width: Terminal.width, isColored: Terminal.isColored(color))
  }
}

/// What is known about the terminal.
enum Terminal {
  /// Columns: what the terminal says, else the variable COLUMNS, else 80.
  static var width: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  /// Whether a progress line would be seen.
  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  static func isColored(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// Prints a result. Exits with 3 when it cannot be written, as on a full disk; a reader that has gone is no error.
  static func show(_ text: String) throws {
    signal(SIGPIPE, SIG_IGN)
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { throw ExitCode(0) }
      guard count > 0 else {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        tell("The result could not be written to standard output: \(reason). Send it somewhere with space and rights.")
        throw ExitCode(3)
      }
      sent += count
    }
  }

  /// Prints a sentence for the person at the terminal, beside the results.
  static func tell(_ sentence: String) {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
  }
}
