// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit

/// Shows text page by page.
enum Pager {
  /// Shows the text in a pager and waits until the reader leaves it. Answers false, and shows nothing, where the text fits
  /// the screen, standard output is no terminal, or there is no pager.
  static func show(_ text: String) -> Bool {
    guard let height = Terminal.height, isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1,
      text.count(where: \.isNewline) >= height,
      let command = command(isUnicode: text.utf8.contains { $0 > 127 })
    else { return false }
    // Ctrl-C belongs to the pager as long as it runs. A handler, unlike an ignored signal, is not passed on to it.
    let before = signal(SIGINT) { _ in }
    let pipe = signal(SIGPIPE, SIG_IGN)
    defer {
      signal(SIGINT, before)
      signal(SIGPIPE, pipe)
    }
    guard let stream = popen(command, "w") else { return false }
    fputs(VisibleText.of(text, keepingColours: true), stream)
    pclose(stream)
    return true
  }

  /// The shell command of the reader's pager, else of less; nil where there is none, or the terminal is a dumb one.
  ///
  /// Problem: less asks the C library for the character set, and where the machine has not generated the locale of LANG, as in
  /// most containers, it shows each byte of a Chinese character as a number. Choice: a text that is more than ASCII is
  /// announced as UTF-8, unless the reader's own variables name a set.
  static func command(
    _ environment: [String: String] = ProcessInfo.processInfo.environment, isUnicode: Bool
  ) -> String? {
    guard environment["TERM"] != "dumb" else { return nil }
    let wanted = environment["PAGER"].map { $0.trimmingCharacters(in: .whitespaces) } ?? "less -RFX"
    guard let program = wanted.split(separator: " ").first, program != "cat" else { return nil }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let places = program.contains("/") ? [String(program)] : folders.map { "\($0)/\(program)" }
    guard places.contains(where: { access($0, X_OK) == 0 }) else { return nil }
    // Colours and a short text work with the reader's own less as well, where LESS does not say otherwise.
    let isSet = ["LESSCHARSET", "LESSCHARDEF"].contains { environment[$0]?.isEmpty == false }
    return (isUnicode && !isSet ? "LESSCHARSET=utf-8 " : "") + "LESS=\"${LESS-RFX}\" \(wanted)"
  }
}
