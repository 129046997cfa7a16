// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// What a program that is not trusted is kept from.
///
/// Problem: a student's program may take all memory, start processes without end or write without end. Choice: the kernel
/// refuses new processes and large files, on rules that the process enters itself before the program starts and that
/// nothing takes back; the parent looks at memory and counts the output, so that a program is ended with a reason to tell.
public struct ProgramLimits: Codable, Sendable, Hashable {
  /// What a program may have too much of.
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

  /// Lets the kernel keep the calling process to them from now on. Threads may still be started.
  func enter() {
    signal(SIGXFSZ, SIG_IGN)
    set(RLIMIT_FSIZE, to: file)
    set(RLIMIT_NOFILE, to: openFiles)
    set(RLIMIT_DATA, to: 4 * memory)  // stacks and arenas count whole here, used or not
    set(RLIMIT_CORE, to: 0)
    workbench_stay_alone()
  }

  private func set(_ resource: __rlimit_resource, to value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }
}
