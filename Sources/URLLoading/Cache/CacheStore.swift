// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import HTTPRules
import Locking
import Synchronization

/// The responses of one cache in memory, and in a folder where it has a disk. Any thread.
///
/// Memory and index answer at once; files are read and written on a queue of all caches.
final class CacheStore: Sendable {
  struct State {
    var memory = CacheIndex<StoredResponse>()
    var disk = CacheIndex<CacheFile>()
    /// On their way to the disk.
    var unwritten: [CacheFile: StoredResponse] = [:]
    var unwrittenBytes = 0
    /// The index of the folder as `disk` has it.
    var known: CacheLog.Known?
    var isRead = false
    /// Whether a change of the index on the disk is this process's own, which is under way.
    var isRecording = false
    /// How many loads wait for what other processes recorded.
    var waiting = 0
    /// Whether the folder is a later version's, which is not touched.
    var isLeftAlone = false
    var memoryCapacity: Int
    var diskCapacity: Int
  }

  /// What is known of a resource without a look at the disk.
  enum Look {
    case known(StoredResponse?)
    /// A file has it, or, where there is `news`, another process may have changed everything.
    case onDisk(news: Bool)
  }

  let state: Locked<State>
  /// Of the queue alone.
  let folder: Locked<CacheFolder?>
  let indexPath: String?
  /// Whether there may be a response: without one in memory, and without a disk, nothing else is asked.
  let mayHaveAny: Atomic<Bool>
  static let queue = DispatchQueue(label: "URLLoading.cache")

  init(memoryCapacity: Int, diskCapacity: Int, folder: URL?) {
    state = Locked(State(memoryCapacity: max(0, memoryCapacity), diskCapacity: max(0, diskCapacity)))
    self.folder = Locked(folder.map { CacheFolder($0) })
    indexPath = folder.map { $0.path + "/" + CacheFolder.indexName }
    mayHaveAny = Atomic(folder != nil && diskCapacity > 0)
  }

  static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Waits, for a second at most, for what is on its way to the disk.
  static func flush() {
    let end = DispatchSemaphore(value: 0)
    queue.async { end.signal() }
    _ = end.wait(timeout: .now() + 1)
  }

  static let isFlushedAtExit: Bool = {
    atexit { CacheStore.flush() }
    return true
  }()

  static func hasDisk(_ state: borrowing State, _ path: String?) -> Bool {
    path != nil && state.diskCapacity > 0 && !state.isLeftAlone
  }
}

// MARK: - Looking up

extension CacheStore {
  /// What is stored last under a key for a request whose fields `matches` answers for. Does not block for long: a call of the
  /// system tells whether another process changed the folder.
  func look(_ key: CacheKey, where matches: @Sendable ([String: UInt64]) -> Bool) -> Look {
    guard mayHaveAny.load(ordering: .acquiring) else { return .known(nil) }
    let resource = key.resource
    let present = indexPath.flatMap { CacheLog.Known($0) }
    return state.withLock { state in
      let hasDisk = Self.hasDisk(state, indexPath)
      // Whoever comes behind loads that wait for the news passes none of them.
      if hasDisk, !state.isRead || state.waiting > 0 || !state.isRecording && present != state.known {
        return .onDisk(news: true)
      }
      if let entry = state.memory.use(resource, where: matches) { return .known(entry.value.isFor(key)) }
      if let waiting = Self.waiting(state, resource, where: matches) { return .known(waiting.isFor(key)) }
      return hasDisk && state.disk.use(resource, where: matches) != nil ? .onDisk(news: false) : .known(nil)
    }
  }

  private static func waiting(
    _ state: borrowing State, _ resource: UInt64, where matches: @Sendable ([String: UInt64]) -> Bool
  ) -> StoredResponse? {
    guard !state.unwritten.isEmpty else { return nil }
    return state.unwritten.first { $0.key.resource == resource && matches($0.key.selectors) }?.value
  }

  /// A load waits for the news from now on, or does so no more.
  func countWaiting(_ change: Int) { state.withLock { $0.waiting += change } }

  /// The same with a look at the disk; `then` is called on the queue.
  func find(
    _ key: CacheKey, where matches: @escaping @Sendable ([String: UInt64]) -> Bool,
    then: @escaping @Sendable (StoredResponse?) -> Void
  ) {
    Self.queue.async { then(self.find(key, where: matches)) }
  }

  /// The same; waits for the disk.
  func found(_ key: CacheKey, where matches: @Sendable ([String: UInt64]) -> Bool) -> StoredResponse? {
    switch look(key, where: matches) {
    case .known(let found): found
    case .onDisk: Self.queue.sync { find(key, where: matches) }
    }
  }

  private func find(_ key: CacheKey, where matches: @Sendable ([String: UInt64]) -> Bool) -> StoredResponse? {
    refresh()
    let resource = key.resource
    let (known, entry, limit) = state.withLock { state in
      let known = state.memory.use(resource, where: matches)?.value ?? Self.waiting(state, resource, where: matches)
      return (known, state.disk.use(resource, where: matches), state.diskCapacity)
    }
    if let known { return known.isFor(key) }
    guard let entry else { return nil }
    guard let found = folder.withLock({ $0?.read(entry.value, limit: limit) }) else {
      forget { $0.disk.take(from: resource) { $0.selectors == entry.selectors } }
      return nil
    }
    state.withLock { Self.keepInMemory(found, at: entry.stored, &$0) }
    return found.isFor(key)
  }

  /// Takes in what other processes recorded. On the queue.
  func refresh() {
    let (news, known, isLeftAlone) = folder.withLock { ($0?.news(), $0?.known, $0?.isLeftAlone == true) }
    state.withLock { state in
      if let news { Self.merge(news, &state) }
      (state.known, state.isRead, state.isLeftAlone) = (known, true, isLeftAlone)
    }
  }

  static func merge(_ news: CacheLog.News, _ state: inout State) {
    guard let changed = state.disk.take(news) else {
      state.memory = CacheIndex()
      return
    }
    for resource in changed { _ = state.memory.take(from: resource) }
  }
}

// MARK: - Capacities

extension CacheStore {
  var memoryCapacity: Int {
    get { state.withLock { $0.memoryCapacity } }
    set {
      state.withLock { state in
        state.memoryCapacity = max(0, newValue)
        _ = state.memory.shrink(to: state.memoryCapacity)
      }
    }
  }

  var diskCapacity: Int {
    get { state.withLock { $0.diskCapacity } }
    set {
      state.withLock { $0.diskCapacity = max(0, newValue) }
      guard indexPath != nil else { return }
      mayHaveAny.store(true, ordering: .releasing)
      Self.queue.async {
        self.refresh()
        self.forget { $0.disk.shrink(to: $0.diskCapacity) }
      }
    }
  }

  /// Whether responses may lie on a disk.
  var hasDisk: Bool { state.withLock { Self.hasDisk($0, indexPath) } }

  var memoryUsage: Int { state.withLock { $0.memory.size } }

  /// Bytes on the disk. May block.
  var diskUsage: Int {
    guard hasDisk else { return 0 }
    return Self.queue.sync {
      refresh()
      return state.withLock { $0.disk.size }
    }
  }
}

extension StoredResponse {
  /// This one, where it is stored under that key: a digest may be that of two.
  fileprivate func isFor(_ key: CacheKey) -> StoredResponse? { head.key == key ? self : nil }
}
