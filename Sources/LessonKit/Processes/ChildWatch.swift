// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking
import Subprocess

/// Looks at one child from outside while it runs: at its memory and its sockets', its threads and at how much it prints. It ends a child that exceeds
/// its limits.
final class ChildWatch: Sendable {
  private struct State {
    var isRunning = false
    var hasEnded = false
    var exceeded: ProgramLimits.Kind?
    var peak = 0
    var family: [pid_t] = []
  }

  private static let pause = Duration.milliseconds(5)
  /// Processes, threads and sockets are counted at every tenth look: it takes as long as ten.
  private static let looksForMore = 10
  private static let longestLine = 64 << 10
  private let child: pid_t
  private let limits: ProgramLimits?
  private let state = Locked(State())

  /// A watch over the process group of `child`; without limits it looks at nothing but lines.
  init(_ child: pid_t, _ limits: ProgramLimits?) {
    self.child = child
    self.limits = limits
  }

  /// The first limit that was exceeded, and the most resident bytes that one process had after the program's start.
  var seen: (ProgramLimits.Kind?, Int) { state.withLock { ($0.exceeded, $0.peak) } }

  /// The program starts now, and says that it has `baseline` resident bytes.
  ///
  /// - Returns: the baseline to believe. A program under limits has no more than what is seen from outside at this moment,
  ///   for the growth above its baseline is judged.
  func programStarted(with baseline: Int) -> Int {
    let family = limits == nil ? [] : Self.family(of: child)
    state.withLock { ($0.isRunning, $0.family) = (true, family) }
    guard let seen = family.map(Self.resident).max(), seen > 0 else {
      return baseline
    }
    return min(baseline, seen)
  }

  /// The child has ended.
  func end() { state.withLock { $0.hasEnded = true } }

  private func exceeded(_ kind: ProgramLimits.Kind) {
    let isFirst = state.withLock { state in
      defer { state.exceeded = state.exceeded ?? kind }
      return state.exceeded == nil && !state.hasEnded
    }
    if isFirst { kill(-child, SIGKILL) }
  }

  // MARK: - Memory and threads

  /// Looks at memory and threads until the child has ended.
  func memory() async {
    guard let limits else { return }
    var (look, inSockets) = (0, 0)
    while !state.withLock({ $0.hasEnded }) {
      if look % Self.looksForMore == 0 {
        let family = Self.family(of: child)
        state.withLock { $0.family = family }
        // The wrapper's network may be another one than the program's.
        inSockets = SocketMemory.bytes(of: family.reversed())
        if family.contains(where: { Self.threads(of: $0) > limits.threads }) { exceeded(.threads) }
      }
      look += 1
      let sizes = state.withLock { $0.family }.map(Self.resident)
      state.withLock { if $0.isRunning { $0.peak = max($0.peak, sizes.max() ?? 0) } }
      if sizes.reduce(inSockets, +) > limits.memory { exceeded(.memory) }
      try? await Task.sleep(for: Self.pause)
      if Task.isCancelled { return }
    }
  }

  /// The process and its descendants.
  private static func family(of process: pid_t) -> [pid_t] {
    let text = String(decoding: bytes(of: "/proc/\(process)/task/\(process)/children"), as: UTF8.self)
    return [process] + text.split(separator: " ").compactMap { pid_t($0) }.flatMap(family)
  }

  /// Resident bytes of a process: the second number of proc_pid_statm(5).
  private static func resident(_ process: pid_t) -> Int {
    let fields = String(decoding: bytes(of: "/proc/\(process)/statm"), as: UTF8.self).split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Threads of a process, from field 20 of its line (proc_pid_stat(5)); behind its name in parentheses, which may hold
  /// anything, also bytes that are no text, comes field 3.
  private static func threads(of process: pid_t) -> Int {
    let line = bytes(of: "/proc/\(process)/stat")
    let behind = line[(line.lastIndex(of: UInt8(ascii: ")")) ?? 0)...]
    return String(decoding: behind, as: UTF8.self).split(separator: " ").dropFirst(18).first.flatMap { Int($0) } ?? 0
  }

  /// The bytes of a file; none where it cannot be read.
  ///
  /// Foundation's reading loses 4 KiB with each file that it finds empty, as a list of children is almost always: at a
  /// look every 5 ms that made gigabytes in an hour.
  static func bytes(of file: String) -> [UInt8] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      }
    }
    return bytes
  }

  // MARK: - Output

  /// Reads what the child prints to its end and answers the last lines. A line longer than 64 KiB becomes several.
  func lines(of output: SubprocessOutputSequence, keeping count: Int) async throws -> [String] {
    var kept: [String] = []
    var line: [UInt8] = []
    var total = 0
    func end() {
      if kept.count == count { kept.removeFirst() }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      kept.append(VisibleText.of(String(decoding: line, as: UTF8.self)))
      line.removeAll(keepingCapacity: true)
    }
    for try await buffer in output {
      total += buffer.count
      if let limits, total > limits.output {
        exceeded(.output)
        continue
      }
      buffer.withUnsafeBytes { bytes in
        for byte in bytes {
          if byte == UInt8(ascii: "\n") || line.count == Self.longestLine { end() }
          if byte != UInt8(ascii: "\n") { line.append(byte) }
        }
      }
    }
    if !line.isEmpty { end() }
    return kept
  }
}
