// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking

/// Room for the threads that run callbacks, where the address space is limited (RLIMIT_AS).
///
/// libdispatch makes a thread for each queue whose callback waits, until no stack finds a place; from then on every
/// allocation of the process fails, and Swift ends it. Under a limit a batch of callbacks therefore starts when there is
/// room for its thread and some memory besides, else when another batch is over. As many as ever ran at once may run again,
/// for the allocator keeps what it set aside for their threads; the first always may.
final class ThreadRoom: Sendable {
  private struct State {
    var starting = 0
    var running = 0
    /// The most that were started and not over.
    var most = 1
    var waiting: [@Sendable () -> Void] = []
  }

  static let shared = ThreadRoom(hasRoom: hasRoom)

  /// Whether callbacks may have to wait for room at all.
  static let isNeeded: Bool = {
    var limit = rlimit()
    return unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
  }()

  private let hasRoom: @Sendable (_ threads: Int) -> Bool
  private let state = Locked(State())

  /// `hasRoom` says whether so many more threads find a place.
  init(hasRoom: @escaping @Sendable (_ threads: Int) -> Bool) {
    self.hasRoom = hasRoom
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
    state.withLock { $0.running -= 1 }
    startNext()
  }

  private func startNext() {
    while let start = next() { start() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let count = state.starting + state.running
      guard !state.waiting.isEmpty, count < state.most || hasRoom(state.starting + 1) else { return nil }
      state.starting += 1
      state.most = max(state.most, count + 1)
      return state.waiting.removeFirst()
    }
  }

  /// What a thread takes by default, 8 MiB of stack with its guard and 64 MiB that glibc's allocator sets aside for it, and
  /// what the process may need meanwhile: two threads that libdispatch has for itself, and memory.
  private static let (thread, reserve) = (73 << 20, 192 << 20)

  private static func hasRoom(_ threads: Int) -> Bool {
    let size = threads * thread + reserve
    let place = unsafe mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe place != MAP_FAILED else { return false }
    unsafe munmap(place, size)
    return true
  }
}
