// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Glibc
import LessonKit

/// The known properties of the terminal.
enum Terminal {
  /// Columns: what the terminal says, else the variable COLUMNS, else 80.
  static var width: Int {
    if let size, size.ws_col > 0 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  /// Lines of the terminal, nil where standard output is none or does not say.
  static var height: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  private static var size: winsize? {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// True if a progress line would be seen.
  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// True to use colour in what is written to this descriptor.
  static func isColored(_ choice: ColorChoice, on descriptor: CInt = STDOUT_FILENO) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// True to keep to ASCII in bars and marks: the terminal is a dumb one, or the locale's character set is not UTF-8.
  /// The first of LC_ALL, LC_CTYPE and LANG that is set decides (POSIX, Base Definitions 8.2).
  static func isASCII(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    if environment["TERM"] == "dumb" { return true }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let charset = locale.split(separator: "@").first?.split(separator: ".").dropFirst().first ?? ""
    return charset.lowercased().filter(\.isLetter) != "utf" || !charset.hasSuffix("8")
  }

  /// Empties the screen, so that what comes next stands at its top; a dumb terminal, and what is no terminal, only gets an
  /// empty line.
  static func clear() {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb" || isatty(STDOUT_FILENO) == 0
    let bytes = Array((isDumb ? "\n" : "\u{1B}[H\u{1B}[2J").utf8)
    // A reader that has gone is found by what is shown next.
    signal(SIGPIPE, SIG_IGN)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }

  /// Prints a result. Exits with 3 when it cannot be written, as on a full disk; a reader that has gone is no error.
  static func show(_ text: String) throws {
    signal(SIGPIPE, SIG_IGN)
    let bytes = Array(VisibleText.of(text, keepingColours: true).utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { throw ExitCode(0) }
      guard count > 0 else {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        Terminal.tell(
          "The result could not be written to standard output: \(reason). Send it somewhere with space and rights.")
        throw ExitCode(3)
      }
      sent += count
    }
  }

  /// Prints a sentence for the person at the terminal, beside the results. Where it cannot be written, nobody is there to
  /// be told so.
  static func tell(_ sentence: String, keepingColours: Bool = false) {
    signal(SIGPIPE, SIG_IGN)
    var rest = Array((VisibleText.of(sentence, keepingColours: keepingColours) + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }
}
