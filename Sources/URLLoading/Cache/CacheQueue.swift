// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Locking

/// The queue on which the caches of one folder read and write files: a disk that is slow holds up no cache of another folder.
final class CacheQueue: Sendable {
  let jobs = DispatchQueue(label: "URLLoading.cache")
  /// The caches that have something to write.
  private let planned = Locked<[ObjectIdentifier: CacheStore]>([:])

  private struct Weak {
    weak var queue: CacheQueue?
  }

  private static let known = Locked<[String: Weak]>([:])
  private static let mark = DispatchSpecificKey<ObjectIdentifier>()

  private init() { jobs.setSpecific(key: Self.mark, value: ObjectIdentifier(self)) }

  /// Returns the queue that all caches of this folder share. A cache without a folder gets a queue of its own.
  static func of(_ folder: URL?) -> CacheQueue {
    guard let path = folder?.standardizedFileURL.path else { return CacheQueue() }
    return known.withLock { known in
      if let queue = known[path]?.queue { return queue }
      let made = CacheQueue()
      known = known.filter { $0.value.queue != nil }
      known[path] = Weak(queue: made)
      return made
    }
  }

  /// Those of all folders in use.
  static var all: [CacheQueue] { known.withLock { $0.values.compactMap(\.queue) } }

  /// Does `job` on the queue, and waits for that; at once where the caller is there, as the `deinit` of a program's object may be.
  func inTurn<Result>(_ job: () -> Result) -> Result {
    DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(self) ? job() : jobs.sync(execute: job)
  }

  /// A cache has something to write, which keeps it until then; true if it is the first of the queue.
  func plan(_ store: CacheStore) -> Bool {
    planned.withLock { planned in
      defer { planned[ObjectIdentifier(store)] = store }
      return planned.isEmpty
    }
  }

  /// Writes what every cache has planned. A cache calls it on the queue before it reads the folder, and so finds there what other
  /// caches of this process have kept.
  func writePlanned() {
    let stores = planned.withLock { planned in
      defer { planned = [:] }
      return planned
    }
    for store in stores.values { store.writeWaiting() }
  }
}
