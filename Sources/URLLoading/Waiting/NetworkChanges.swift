// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import Locking

/// Observes changes of the machine's network: an interface, an address or a route. The kernel is asked only while there
/// are observations.
final class NetworkChanges: Sendable {
  /// Ends an observation when it goes.
  final class Observation: Sendable {
    private let changes: NetworkChanges
    private let number: Int

    fileprivate init(_ changes: NetworkChanges, _ number: Int) {
      (self.changes, self.number) = (changes, number)
    }

    deinit { changes.forget(number) }
  }

  private struct State {
    var last = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var source: (any DispatchSourceRead)?
  }

  static let shared = NetworkChanges()

  private let state = Locked(State())

  /// Calls `report` after each change, on any thread, until the observation goes. nil where the kernel cannot be asked.
  func observe(_ report: @escaping @Sendable () -> Void) -> Observation? {
    let number: Int? = state.withLock { state in
      if state.source == nil { state.source = makeSource() }
      guard state.source != nil else { return nil }
      state.last += 1
      state.observers[state.last] = report
      return state.last
    }
    return number.map { Observation(self, $0) }
  }

  /// The network has changed.
  func changed() {
    for report in state.withLock({ Array($0.observers.values) }) { report() }
  }

  private func forget(_ number: Int) {
    state.withLock { state in
      state.observers[number] = nil
      guard state.observers.isEmpty else { return }
      // Only asks for its end, which follows on the source's queue.
      state.source?.cancel()
      state.source = nil
    }
  }

  private func makeSource() -> (any DispatchSourceRead)? {
    let descriptor = workbench_watch_network()
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { [weak self] in
      // The change itself does not matter, so the messages are only taken away.
      var bytes = [UInt8](repeating: 0, count: 16 * 1024)
      while unsafe recv(descriptor, &bytes, bytes.count, 0) > 0 {}
      self?.changed()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    return source
  }
}
