// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import Locking

/// Tells when the machine's network changes: an interface, an address or a route. The kernel is only asked while somebody
/// wants to know.
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

  /// Has `tell` called after each change, on any thread, until the observation goes. nil where the kernel cannot be asked.
  func observe(_ tell: @escaping @Sendable () -> Void) -> Observation? {
    let number: Int? = state.withLock { state in
      if state.source == nil { state.source = makeSource() }
      guard state.source != nil else { return nil }
      state.last += 1
      state.observers[state.last] = tell
      return state.last
    }
    return number.map { Observation(self, $0) }
  }

  /// The network has changed.
  func changed() {
    for tell in state.withLock({ Array($0.observers.values) }) { tell() }
  }

  private func forget(_ number: Int) {
    state.withLock { state in
      state.observers[number] = nil
      guard state.observers.isEmpty else { return }
      // Only orders its end, which comes on the source's queue.
      state.source?.cancel()
      state.source = nil
    }
  }

  private func makeSource() -> (any DispatchSourceRead)? {
    let descriptor = workbench_watch_network()
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { [weak self] in
      // What has changed does not matter, so the messages are only taken away.
      var bytes = [UInt8](repeating: 0, count: 16 * 1024)
      while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
      self?.changed()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    return source
  }
}
