// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking
import Synchronization

/// Small, stable numbers for threads: the main thread is 1, others count up as they are first seen.
///
/// The kernel's own ids are large and differ from run to run, so a report could not be compared with another.
public enum ThreadNumber {
  /// The calling thread's number, given on the first call.
  public static var current: Int { ThreadFacts.current.number }

  fileprivate static func give() -> Int {
    let number = Thread.isMainThread ? 1 : next.wrappingAdd(1, ordering: .relaxed).newValue
    if let folder = ownFolder() { folders.withLock { $0[number] = folder } }
    return number
  }

  /// The folder in which the kernel tells of the thread with this number (proc(5), `/proc/thread-self`); nil where the thread
  /// has ended or never asked for its number, and where there is no such folder.
  static func folder(of number: Int) -> String? {
    number == 1 ? "/proc/self/task/\(getpid())" : folders.withLock { $0[number] }
  }

  private static let folders = Locked<[Int: String]>([:])

  private static func ownFolder() -> String? {
    let path = unsafe String(unsafeUninitializedCapacity: 64) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: 64) {
        unsafe max(0, readlink("/proc/thread-self", $0, 64))
      }
    }
    return path.isEmpty ? nil : "/proc/" + path
  }

  fileprivate static func threadEnds(_ number: Int) { folders.withLock { $0[number] = nil } }

  private static let next = Atomic<Int>(1)
}

/// The facts known of a thread until it ends.
final class ThreadFacts {
  let number = ThreadNumber.give()
  /// The place of the callbacks that one drain runs here; nil outside of one, and within it nil while it is not known.
  var callbacks: Place??

  deinit { ThreadNumber.threadEnds(number) }

  /// The calling thread's.
  static var current: ThreadFacts {
    if let known = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<ThreadFacts>.fromOpaque(known).takeUnretainedValue()
    }
    let facts = ThreadFacts()
    unsafe pthread_setspecific(key, Unmanaged.passRetained(facts).toOpaque())
    return facts
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { facts in
      if let facts = unsafe facts { unsafe Unmanaged<ThreadFacts>.fromOpaque(facts).release() }
    }
    return key
  }()
}
