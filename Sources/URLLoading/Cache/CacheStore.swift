// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import HTTPRules
import Locking
import Synchronization

/// The responses of one cache in memory, and in a folder where it has a disk. Any thread.
///
/// Memory and index answer at once; files are read and written on a queue of all caches that have the folder (`CacheQueue`).
final class CacheStore: Sendable {
  struct State {
    var memory = CacheIndex<StoredResponse>()
    var disk = CacheIndex<CacheFile>()
    /// On their way to the disk.
    var unwritten = CacheIndex<StoredResponse>()
    /// How often something was kept or removed: what was read from the disk before is old then.
    var changes: UInt64 = 0
    /// True if `disk` has what the index of the folder had at the last look.
    var isRead = false
    /// True if a change of the index on the disk is this process's own, which is under way.
    var isRecording = false
    /// How many loads wait for what other processes recorded.
    var waiting = 0
    /// True if the folder is a later version's, which is not touched.
    var isLeftAlone = false
    var memoryCapacity: Int
    var diskCapacity: Int
  }

  /// The knowledge of a resource without a look at the disk.
  enum Look {
    case known(StoredResponse?)
    /// A file has it, or, where there is `news`, another process may have changed everything.
    case onDisk(news: Bool)
  }

  let state: Locked<State>
  /// Of the queue alone.
  let folder: Locked<CacheFolder?>
  let indexPath: String?
  /// Tells whether another process changed the index.
  let watch: FileWatch?
  private let isLooking = Atomic(false)
  let queue: CacheQueue
  /// True if there may be a response: without one in memory, and without a disk, nothing else is asked.
  let mayHaveAny: Atomic<Bool>
  /// Those of which the disk did not take everything yet.
  private static let unrecorded = Locked<[ObjectIdentifier: Unrecorded]>([:])

  private struct Unrecorded {
    weak var store: CacheStore?
  }

  init(memoryCapacity: Int, diskCapacity: Int, folder: URL?) {
    state = Locked(State(memoryCapacity: max(0, memoryCapacity), diskCapacity: max(0, diskCapacity)))
    self.folder = Locked(folder.map { CacheFolder($0) })
    indexPath = folder.map { $0.path + "/" + CacheFolder.indexName }
    watch = indexPath.map { FileWatch($0) }
    queue = CacheQueue.of(folder)
    mayHaveAny = Atomic(folder != nil && diskCapacity > 0)
  }

  deinit { note(isUnrecorded: false) }

  /// True if the disk did not take everything yet, which is then tried again at the latest when the program ends.
  func note(isUnrecorded: Bool) {
    let number = ObjectIdentifier(self)
    Self.unrecorded.withLock { unrecorded in
      if isUnrecorded {
        unrecorded[number] = Unrecorded(store: self)
      } else if !unrecorded.isEmpty {
        unrecorded[number] = nil
      }
    }
  }

  static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Waits, for a second at most, for what is on its way to the disk.
  static func flush() {
    let ends = DispatchGroup()
    for queue in CacheQueue.all { queue.jobs.async(group: ends) { queue.writePlanned() } }
    for store in unrecorded.withLock({ $0.values.compactMap(\.store) }) {
      store.queue.jobs.async(group: ends) { store.record([]) }
    }
    _ = ends.wait(timeout: .now() + 1)
  }

  static let isFlushedAtExit: Bool = {
    atexit { CacheStore.flush() }
    return true
  }()

  static func hasDisk(_ state: borrowing State, _ path: String?) -> Bool {
    path != nil && state.diskCapacity > 0 && !state.isLeftAlone
  }

  /// Changes the state, and drops what leaves it when the lock is free: objects of the program's may go with it, whose `deinit` may
  /// come back.
  func change<Result: Sendable>(_ body: (inout State, inout [StoredResponse]) -> Result) -> Result {
    var gone: [StoredResponse] = []
    let result = state.withLock { body(&$0, &gone) }
    withExtendedLifetime(gone) {}
    return result
  }
}

// MARK: - Looking up

extension CacheStore {
  /// Looks for the last response under a key for a request whose fields `matches` answers for. Never waits for a disk: the kernel
  /// tells whether another process changed the index.
  func look(_ key: CacheKey, where matches: @Sendable ([String: UInt64]) -> Bool) -> Look {
    guard mayHaveAny.load(ordering: .acquiring) else { return .known(nil) }
    let resource = key.resource
    let mayHaveChanged = hasDisk && watch?.mayHaveChanged == true
    if hasDisk, !mayHaveChanged, watch?.isOld == true { lookBesides() }
    return state.withLock { state in
      let hasDisk = Self.hasDisk(state, indexPath)
      // Whoever comes behind loads that wait for the news passes none of them.
      if hasDisk, !state.isRead || state.waiting > 0 || !state.isRecording && mayHaveChanged {
        return .onDisk(news: true)
      }
      let (known, entry) = Self.last(&state, resource, hasDisk, where: matches)
      return known == nil && entry != nil ? .onDisk(news: false) : .known(known?.isFor(key))
    }
  }

  /// Looks at the index while loads go on with what memory has.
  private func lookBesides() {
    guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.jobs.async { [self] in
      refresh()
      isLooking.store(false, ordering: .releasing)
    }
  }

  /// Finds the response that was stored last: it lies in memory or is on its way to the disk, or lies there. All of it is used
  /// by that.
  private static func last(
    _ state: inout State, _ resource: UInt64, _ hasDisk: Bool, where matches: @Sendable ([String: UInt64]) -> Bool
  ) -> (StoredResponse?, CacheIndex<CacheFile>.Entry?) {
    let entry = hasDisk ? state.disk.use(resource, where: matches) : nil
    let inMemory = state.memory.use(resource, where: matches)
    let unwritten = state.unwritten.use(resource, where: matches)
    let isNewer = unwritten.map { $0.stored >= inMemory?.stored ?? .min } ?? false
    guard let known = isNewer ? unwritten : inMemory else { return (nil, entry) }
    // A file of the same selectors has the same, or what that replaces.
    guard let entry, entry.selectors != known.selectors, entry.stored > known.stored else { return (known.value, nil) }
    return (nil, entry)
  }

  /// A load waits for the news from now on, or does so no more.
  func countWaiting(_ change: Int) { state.withLock { $0.waiting += change } }

  /// The same with a look at the disk; `then` is called on the queue.
  func find(
    _ key: CacheKey, where matches: @escaping @Sendable ([String: UInt64]) -> Bool,
    then: @escaping @Sendable (StoredResponse?) -> Void
  ) {
    queue.jobs.async { then(self.find(key, where: matches)) }
  }

  /// The same; waits for the disk.
  func found(_ key: CacheKey, where matches: @Sendable ([String: UInt64]) -> Bool) -> StoredResponse? {
    switch look(key, where: matches) {
    case .known(let found): found
    case .onDisk: queue.inTurn { find(key, where: matches) }
    }
  }

  private func find(_ key: CacheKey, where matches: @Sendable ([String: UInt64]) -> Bool) -> StoredResponse? {
    queue.writePlanned()
    refresh()
    let resource = key.resource
    let (known, entry, limit, changes) = state.withLock { state in
      let (known, entry) = Self.last(&state, resource, Self.hasDisk(state, indexPath), where: matches)
      return (known, entry, state.diskCapacity, state.changes)
    }
    if let known { return known.isFor(key) }
    guard let entry else { return nil }
    guard let found = folder.withLock({ $0?.read(entry.value, limit: limit) }) else {
      forget { $0.disk.take(from: resource) { $0.selectors == entry.selectors } }
      return nil
    }
    change { state, gone in
      if state.changes == changes { Self.keepInMemory(found, at: entry.stored, &state, &gone) }
    }
    return found.isFor(key)
  }

  /// Takes in what other processes recorded, which is older than `stored`. On the queue.
  func refresh(before stored: [StoredResponse] = []) {
    watch?.willLook()
    let (news, isLeftAlone) = folder.withLock { ($0?.news(), $0?.isLeftAlone == true) }
    change { state, gone in
      if let news {
        let newer = stored.flatMap { one in
          let resource = one.head.key.resource
          return state.memory.take(from: resource) { $0.value === one }.map { (resource, $0) }
        }
        Self.merge(news, &state, &gone)
        for (resource, entry) in newer { state.memory.put(entry, for: resource).map { gone.append($0.value) } }
      }
      (state.isRead, state.isLeftAlone) = (true, isLeftAlone)
    }
    if folder.withLock({ $0?.isDue == true }) { record([]) }
  }

  static func merge(_ news: CacheLog.News, _ state: inout State, _ gone: inout [StoredResponse]) {
    let changed = state.disk.take(news)
    // Whoever removes the folder frees the disk. No process says by that that its responses are out of date: memory serves on.
    guard !news.isRemoved else { return }
    for resource in changed { gone += state.memory.take(from: resource).map(\.value) }
  }
}

// MARK: - Capacities

extension CacheStore {
  var memoryCapacity: Int {
    get { state.withLock { $0.memoryCapacity } }
    set {
      change { state, gone in
        state.memoryCapacity = max(0, newValue)
        gone += state.memory.shrink(to: state.memoryCapacity).map(\.value)
      }
    }
  }

  var diskCapacity: Int {
    get { state.withLock { $0.diskCapacity } }
    set {
      state.withLock { $0.diskCapacity = max(0, newValue) }
      guard indexPath != nil else { return }
      mayHaveAny.store(true, ordering: .releasing)
      queue.jobs.async {
        self.refresh()
        self.forget { $0.disk.shrink(to: $0.diskCapacity) }
      }
    }
  }

  /// True if responses may lie on a disk.
  var hasDisk: Bool { state.withLock { Self.hasDisk($0, indexPath) } }

  var memoryUsage: Int { state.withLock { $0.memory.size } }

  /// Bytes on the disk. May block.
  var diskUsage: Int {
    guard hasDisk else { return 0 }
    return queue.inTurn {
      queue.writePlanned()
      refresh()
      return state.withLock { $0.disk.size }
    }
  }
}

extension StoredResponse {
  /// This one, where it is stored under that key: a digest may be that of two.
  fileprivate func isFor(_ key: CacheKey) -> StoredResponse? { head.key == key ? self : nil }
}
