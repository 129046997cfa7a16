// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// What one run of a program cost, by the kernel's accounting and by its own last line.
struct Figures {
  /// User and system time of the job, in seconds: without the program's start and its first small transfer.
  var processor: Double
  /// The same of the whole process.
  var processorOfProcess: Double
  /// Seconds on the clock, of the job.
  var wall: Double
  /// Bytes by which resident memory rose.
  var growth: Double
  var threads: Double
  var transfers: Double
  var bytes: Int64
}

/// A program that runs once: started, read to its end, reaped.
struct Program {
  var command: [String]
  var environment: [String: String]

  func run() throws -> Figures {
    let child = try Child(command, environment)
    let output = child.readToEnd()
    let (status, usage) = child.wait()
    guard status == 0 else {
      throw Failure(description: "\(command.joined(separator: " ")) ended with status \(status).")
    }
    let values = Self.values(output.split(separator: "\n").last ?? "")
    guard let processor = values["processor"], let wall = values["wall"], let growth = values["growth"],
      let threads = values["threads"],
      let transfers = values["transfers"],
      let bytes = values["bytes"]
    else { throw Failure(description: "\(command.joined(separator: " ")) printed no figures: \"\(output)\".") }
    return Figures(
      processor: Double(processor) / 1_000_000,
      processorOfProcess: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime), wall: Double(wall) / 1_000_000,
      growth: Double(growth), threads: Double(threads), transfers: Double(transfers), bytes: bytes)
  }

  /// Reads "growth=1 threads=2".
  private static func values(_ line: Substring) -> [Substring: Int64] {
    var values: [Substring: Int64] = [:]
    for word in line.split(separator: " ") {
      let sides = word.split(separator: "=")
      if sides.count == 2 { values[sides[0]] = Int64(sides[1]) }
    }
    return values
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}

/// A child process whose standard output is read here.
final class Child {
  let process: pid_t
  private let output: Int32

  /// Starts a command, which is looked for in PATH.
  init(_ command: [String], _ environment: [String: String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "No pipe: \(String(cString: strerror(errno))).") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in argv + envp { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], &actions, nil, &argv, &envp)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      let cure = command[0] == "taskset" ? " Install util-linux, or compare with --shared." : ""
      throw Failure(description: "\(command[0]) could not be started: \(String(cString: strerror(code))).\(cure)")
    }
    self.process = process
    output = ends[0]
  }

  deinit { close(output) }

  /// Everything up to the next line's end, without it; nil when the program has closed its output.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == 10 { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  func readToEnd() -> String {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines.joined(separator: "\n")
  }

  /// Waits for its end: the exit status (128 plus the signal where one ended it) and what the kernel counted.
  func wait() -> (status: Int32, usage: rusage) {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 && errno == EINTR { continue }
    let signal = status & 0x7f
    return (signal == 0 ? (status >> 8) & 0xff : 128 + signal, usage)
  }
}
