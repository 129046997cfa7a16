// SPDX-License-Identifier: Apache-2.0

/// Words of a command that a person copies into a shell.
enum ShellWord {
  /// The text as one word, whatever is in it (POSIX.1-2017, Shell Command Language, 2.2.2).
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
