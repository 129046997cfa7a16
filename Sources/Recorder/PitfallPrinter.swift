// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Locking
import Pitfalls
import Timeline

/// Says on standard error what pitfalls the events of a ring show: each kind once, with its harm and cure, and at the
/// program's end how often each was found.
final class PitfallPrinter: Sendable {
  private struct State {
    var table = PitfallTable()
    var counts: [Pitfall: Int] = [:]
    /// What loads that are alive ask for.
    var requests: [UInt64: (method: String, url: String)] = [:]
    var isOver = false
  }

  /// Of how many loads the address is remembered.
  private static let mostRequests = 4096

  private let ring: EventRing
  private let state = Locked(State())
  /// What standard error was at the beginning. A program that closes it may later have a file of its own in its place.
  private let device: dev_t
  private let file: ino_t

  init(_ ring: EventRing) {
    self.ring = ring
    var status = stat()
    _ = unsafe fstat(STDERR_FILENO, &status)
    (device, file) = (status.st_dev, status.st_ino)
  }

  /// Reads the ring's events and prints the pitfalls they show. It prints while it holds the lock, which `finish` waits for:
  /// otherwise the process could exit before the lines are written.
  func say(upTo instant: Int64) {
    state.withLock { if !$0.isOver { say(take(upTo: instant, &$0)) } }
  }

  /// Takes the program's end and says the sum.
  func finish(at instant: Int64) {
    state.withLock { state in
      say(take(upTo: instant, &state) + note(state.table.end(at: instant), &state))
      state.isOver = true
      guard !state.counts.isEmpty else { return }
      let sums = state.counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
      say(["pitfalls: " + sums.joined(separator: ", ") + "; workbench pitfalls NAME explains one"])
    }
  }

  private func take(upTo instant: Int64, _ state: inout State) -> [String] {
    var lines: [String] = []
    while let found = ring.take() {
      switch found {
      case .event(let event): lines += take(event, &state)
      case .gap(_, let newest): state.table.lose(upTo: newest)
      case .ending, .nonsense: break
      }
    }
    return lines + note(state.table.pass(to: instant), &state)
  }

  private func take(_ event: ProgramEvent, _ state: inout State) -> [String] {
    if case .step(.made(_, _, let method, let url)) = event.kind {
      if state.requests.count == Self.mostRequests { state.requests = [:] }
      state.requests[event.subject] = (method, url)
    }
    defer { if case .step(.letGo) = event.kind { state.requests[event.subject] = nil } }
    return note(state.table.take(event), &state)
  }

  private func note(_ findings: [PitfallFinding], _ state: inout State) -> [String] {
    findings.filter { !$0.isUpdate }.compactMap { finding in
      state.counts[finding.pitfall, default: 0] += 1
      guard state.counts[finding.pitfall] == 1 else { return nil }
      let entry = finding.pitfall.entry
      let request =
        state.requests[finding.subject].map {
          ", " + "\($0.method) " + ShownText.ofAddress($0.url, showsQueries: false)
        } ?? ""
      let time = Double((finding.instant * 100).rounded()) / 100
      return "pitfall \(finding.pitfall.rawValue) (\(finding.grade.rawValue)) at \(time) s on thread "
        + "\(finding.thread)\(request): "
        + "\(finding.harm) \(entry.cure) Lesson \(entry.lesson)."
    }
  }

  private func say(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let bytes = (lines.joined(separator: "\n") + "\n").utf8CString
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe workbench_tell(STDERR_FILENO, device, file, bytes.baseAddress, bytes.count - 1)
    }
  }
}
