// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// The limits of a program that is not trusted.
///
/// Problem: a student's program may take all memory, start processes without end or write without end. Choice: the kernel
/// refuses new processes and large files, on rules that the process enters itself before the program starts and that
/// nothing takes back; the parent looks at memory and counts the output, so that a program is ended with a reason to tell.
public struct ProgramLimits: Codable, Sendable, Hashable {
  /// The resource that a program may have too much of.
  public enum Kind: String, Codable, Sendable, Hashable {
    /// Resident memory.
    case memory
    /// Printed text.
    case output
    /// Threads.
    case threads
  }

  /// The most resident bytes.
  public var memory = 1 << 30
  /// The most bytes printed.
  public var output = 1 << 20
  /// The most threads of one process.
  public var threads = 1024
  /// The most bytes of one file.
  public var file = 1 << 30
  /// The most open files.
  public var openFiles = 1024

  /// The limits of an exercise: 1 GiB of memory, 1 MiB of output, 1024 threads, 1 GiB a file, 1024 open files, no further process.
  public init() {}

  /// Lets the kernel keep the calling process to them from now on. Threads may still be started. A limit that is lower
  /// already stays.
  ///
  /// - Returns: what the kernel does not enter, and why; nil where it enters all. The program must not be started then.
  func enter() -> String? {
    signal(SIGXFSZ, SIG_IGN)
    let all: [(String, __rlimit_resource, Int)] = [
      ("RLIMIT_FSIZE", RLIMIT_FSIZE, file), ("RLIMIT_NOFILE", RLIMIT_NOFILE, openFiles),
      // Stacks and arenas count whole here, used or not.
      ("RLIMIT_DATA", RLIMIT_DATA, 4 * memory), ("RLIMIT_CORE", RLIMIT_CORE, 0),
    ]
    for (name, resource, value) in all where !set(resource, to: value) { return Self.refusal(name) }
    return workbench_stay_alone() == 0 ? nil : Self.refusal("seccomp")
  }

  private static func refusal(_ name: String) -> String { "\(name): \(String(cString: strerror(errno)))" }

  private func set(_ resource: __rlimit_resource, to value: Int) -> Bool {
    let number = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0 else { return false }
    let value = min(rlim_t(clamping: value), limit.rlim_max)
    limit = rlimit(rlim_cur: value, rlim_max: value)
    return setrlimit(number, &limit) == 0
  }
}
