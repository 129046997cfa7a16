// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// Small, stable numbers for threads: the main thread is 1, others count up as they are first seen.
///
/// The kernel's own ids are large and differ from run to run, so a report could not be compared with another.
public enum ThreadNumber {
  /// The calling thread's number, given on the first call.
  public static var current: Int {
    if Thread.isMainThread { return 1 }
    if let known = unsafe pthread_getspecific(key) { return Int(bitPattern: known) }
    let number = next.wrappingAdd(1, ordering: .relaxed).newValue
    unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: number))
    return number
  }

  private static let next = Atomic<Int>(1)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()
}
