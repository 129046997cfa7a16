// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking

/// A terminal that hands over each key as it is pressed and does not show it. Ctrl-C goes on being a signal.
enum KeyMode {
  /// The terminal as it was before, while a body runs.
  private static let before = Locked<termios?>(nil)

  /// True if a person sits at both ends.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Runs `body` in this mode; afterwards the terminal is as it was.
  static func with<Result>(_ body: () async throws -> Result) async throws -> Result {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try await body() }
    var keys = before
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
    Self.before.withLock { [before] kept in kept = before }
    tcsetattr(STDIN_FILENO, TCSANOW, &keys)
    defer { restore() }
    return try await body()
  }

  /// Makes the terminal as it was, also for an end of the process that no `defer` sees.
  static func restore() {
    Self.before.withLock { before in
      guard var modes = before else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &modes)
      before = nil
    }
  }
}
