// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// An epoll instance with an eventfd that wakes it; both closed exactly once.
///
/// Edge-triggered (epoll(7)): each write wakes once, and nothing has to be read. The count of 64 bits is never full.
struct Epoll: ~Copyable {
  private let descriptor: Int32
  private let wakeDescriptor: Int32

  /// The key that `wait` reports for the wake-up.
  static let wakeKey = UInt64.max

  /// How many events `wait` hands over at most; Swift takes up to 1 KiB for them from the stack.
  static let batch = 64

  /// Nil when the process is out of descriptors.
  init?() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0, wakeDescriptor >= 0,
      Self.control(descriptor, EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Self.wakeKey)
    else { return nil }
  }

  deinit {
    close(wakeDescriptor)
    close(descriptor)
  }

  /// Makes a `wait` that is under way, or the next one, return. Any thread.
  func wake() {
    var one: UInt64 = 1
    _ = unsafe write(wakeDescriptor, &one, 8)
  }

  /// Waits for events until `timeout` milliseconds are over (-1: for ever) and hands each over.
  func wait(timeoutMilliseconds timeout: Int32, _ handle: (_ key: UInt64, _ events: UInt32) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.batch) { events in
      let count = unsafe epoll_wait(descriptor, events.baseAddress, Int32(events.count), timeout)
      for index in 0..<max(0, Int(count)) {
        let key = unsafe events[index].data.u64
        if key != Self.wakeKey { unsafe handle(key, events[index].events) }
      }
    }
  }

  /// Makes the kernel watch `socket` for `events`, whether it did so before or not. False when it cannot.
  func watch(_ socket: Int32, for events: UInt32, key: UInt64, isKnown: Bool) -> Bool {
    let first = isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
    let second = isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    return Self.control(descriptor, first, socket, events, key) || Self.control(descriptor, second, socket, events, key)
  }

  /// Ends the watching of `socket`.
  func forget(_ socket: Int32) {
    _ = Self.control(descriptor, EPOLL_CTL_DEL, socket, 0, 0)
  }

  private static func control(
    _ epoll: Int32, _ operation: Int32, _ socket: Int32, _ events: UInt32, _ key: UInt64
  ) -> Bool {
    var event = unsafe epoll_event()
    unsafe event.events = events
    unsafe event.data.u64 = key
    return unsafe epoll_ctl(epoll, operation, socket, &event) == 0
  }
}
