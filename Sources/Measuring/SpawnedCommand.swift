// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// A command that could not be started.
public struct CommandNotStarted: Error {
  /// The status of shells where there is no such program.
  public static let missing: Int32 = 127

  /// `missing`, or 126 where the program may not be executed.
  public var status: Int32
  /// The program as the command named it.
  public var name: String
  /// The kernel's reason.
  public var reason: String
}

/// A command that inherits what this process has: terminal, input, all descriptors that are not closed by an execution, and
/// the process group, so that the terminal's keys reach it.
enum SpawnedCommand {
  static func start(_ command: [String], at socket: String) throws(CommandNotStarted) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads of the pool block signals, and this process may ignore SIGPIPE: neither is the command's.
    var (none, pipe) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &pipe)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var variables = ProcessInfo.processInfo.environment
    variables["WORKBENCH_RECORD"] = socket
    let arguments = command.map { strdup($0) } + [nil]
    let environment = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let reason = posix_spawnp(&process, command[0], nil, &attributes, arguments, environment)
    guard reason == 0 else { throw notStarted(command[0], reason) }
    return process
  }

  private static func notStarted(_ name: String, _ reason: Int32) -> CommandNotStarted {
    CommandNotStarted(
      status: [ENOENT, ENOTDIR].contains(reason) ? CommandNotStarted.missing : 126, name: name,
      reason: String(cString: strerror(reason)))
  }

  /// Waits for its end and answers its exit status; 128 and the signal's number where a signal ended it.
  static func end(of process: pid_t) async -> Int32 {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        continuation.resume(returning: signal == 0 ? status >> 8 & 0xff : 128 + signal)
      }
      thread.start()
    }
  }
}

/// The signals that ask the command to end reach it: those of the terminal by themselves, those that somebody sends to this
/// process are passed on. What this process was started to ignore, it and the command ignore.
struct PassedSignals {
  private static let process = Atomic<Int32>(0)
  /// A signal that came before the command.
  private static let early = Atomic<Int32>(0)

  private let former: [(number: Int32, action: sigaction)]

  init() {
    Self.process.store(0, ordering: .relaxed)
    Self.early.store(0, ordering: .relaxed)
    var kept: [(Int32, sigaction)] = []
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] {
      var (before, action) = (sigaction(), sigaction())
      guard sigaction(number, nil, &before) == 0,
        unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != 1
      else { continue }
      action.sa_flags = SA_SIGINFO | Int32(SA_RESTART)
      action.__sigaction_handler.sa_sigaction = { number, information, _ in
        // The kernel sends the terminal's keys to the command, too.
        guard let information, information.pointee.si_code <= 0 else { return }
        let process = PassedSignals.process.load(ordering: .relaxed)
        if process > 0 { kill(process, number) } else { PassedSignals.early.store(number, ordering: .relaxed) }
      }
      sigaction(number, &action, nil)
      kept.append((number, before))
    }
    former = kept
  }

  func pass(to process: Int32) {
    Self.process.store(process, ordering: .sequentiallyConsistent)
    let early = Self.early.exchange(0, ordering: .sequentiallyConsistent)
    if early > 0 { kill(process, early) }
  }

  func restore() {
    for (number, action) in former {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}
