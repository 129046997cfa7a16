// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Locking

/// Room for the threads that run callbacks, where the address space is limited (RLIMIT_AS).
///
/// libdispatch makes a thread for each queue whose callback waits, until no stack finds a place; from then on every
/// allocation of the process fails, and Swift ends it. Under a limit a batch of callbacks therefore starts when there is
/// room for its thread and some memory besides, else when another batch is over. As many as ever ran at once may run again,
/// for the allocator keeps what it set aside for their threads; the first always may. Where no batch is over for a while, one
/// may be waiting for another, and the next starts with less to spare.
final class ThreadRoom: Sendable {
  private struct State {
    var starting = 0
    var running = 0
    /// The most that were started and not over.
    var most = 1
    var waiting: [@Sendable () -> Void] = []
    /// How many were over.
    var ended = 0
    var isWatched = false
  }

  static let shared = ThreadRoom(hasRoom: hasRoom)

  /// True if callbacks may have to wait for room at all.
  static let isNeeded: Bool = {
    var limit = rlimit()
    return unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
  }()

  private let hasRoom: @Sendable (_ bytes: Int) -> Bool
  private let patience: DispatchTimeInterval
  private let state = Locked(State())

  /// `hasRoom` says whether so many bytes of address space are free. `patience` is how long batches wait for one another.
  init(patience: DispatchTimeInterval = .seconds(5), hasRoom: @escaping @Sendable (_ bytes: Int) -> Bool) {
    (self.patience, self.hasRoom) = (patience, hasRoom)
  }

  /// Calls `start` now or later; it brings the job it is given onto a thread.
  func run(
    _ job: @escaping @Sendable () -> Void, by start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    state.withLock { state in
      state.waiting.append { [self] in
        start {
          self.began()
          job()
          self.ended()
        }
      }
    }
    startNext()
  }

  private func began() {
    state.withLock { state in
      state.starting -= 1
      state.running += 1
    }
  }

  private func ended() {
    state.withLock { ($0.running, $0.ended) = ($0.running - 1, $0.ended + 1) }
    startNext()
  }

  private func startNext() {
    while let start = next(sparing: Self.reserve) { start() }
    watch()
  }

  /// Looks again after a while, as long as batches wait.
  private func watch() {
    let ended: Int? = state.withLock { state in
      guard !state.waiting.isEmpty, !state.isWatched else { return nil }
      state.isWatched = true
      return state.ended
    }
    guard let ended else { return }
    // There is room for this thread: it is part of what is spared.
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [self] in
      let nothingEnded = state.withLock { state in
        state.isWatched = false
        return state.ended == ended
      }
      if nothingEnded { next(sparing: Self.leastReserve)?() }
      startNext()
    }
  }

  private func next(sparing reserve: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let count = state.starting + state.running
      guard !state.waiting.isEmpty,
        count < state.most || hasRoom((state.starting + 1) * Self.thread + reserve)
      else { return nil }
      state.starting += 1
      state.most = max(state.most, count + 1)
      return state.waiting.removeFirst()
    }
  }

  /// The bytes that a thread takes by default: 8 MiB of stack with its guard, and 64 MiB that glibc's allocator sets
  /// aside for it.
  private static let thread = 73 << 20
  /// The reserve for the process's needs meanwhile: two threads that libdispatch has for itself, and memory.
  private static let reserve = 192 << 20
  private static let leastReserve = 32 << 20

  private static func hasRoom(_ bytes: Int) -> Bool {
    let place = unsafe mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe place != MAP_FAILED else { return false }
    unsafe munmap(place, bytes)
    return true
  }
}
