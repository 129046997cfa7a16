// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Locking
import Synchronization

/// The ways into a cache and out of it.
///
/// The responses that loads store within a moment are written together: one wake-up of the queue and one write to the index for
/// all of it, for each of the two costs as much as the file itself.
extension CacheStore {
  /// Bytes that may wait for the disk; what comes beyond them is kept in memory alone.
  private static let unwrittenLimit = 16 << 20
  /// Bytes from which on they wait no longer.
  private static let unwrittenBatch = 1 << 20
  /// How long they wait else: so much may be lost when the process is killed.
  private static let unwrittenTime = DispatchTimeInterval.milliseconds(20)

  /// Keeps a response: in memory at once, on the disk soon. Until it lies there it is found in memory. One that confirms what was
  /// `found` is not kept where that was replaced or removed meanwhile.
  func keep(_ stored: StoredResponse, confirming found: StoredResponse? = nil) {
    mayHaveAny.store(true, ordering: .releasing)
    let file = CacheFile(stored.head.key.resource, stored.head.selectors)
    let (goesToDisk, liesOnDisk, unwritten) = change { state, gone in
      let asked = stored.head.provenance?.requested ?? 0
      if let found, !Self.isStill(found, since: asked, state) { return (false, false, 0) }
      let time = Self.milliseconds
      state.changes &+= 1
      Self.keepInMemory(stored, at: time, &state, &gone)
      gone += state.unwritten.take(from: file.resource) { $0.selectors == file.selectors }.map(\.value)
      guard Self.hasDisk(state, indexPath) else { return (false, false, 0) }
      guard stored.policy == .allowed, stored.isWritable, stored.size <= state.diskCapacity,
        state.unwritten.size + stored.size <= Self.unwrittenLimit
      else { return (false, true, 0) }
      let entry = CacheIndex.Entry(stored, selectors: file.selectors, size: stored.size, stored: time)
      if let old = state.unwritten.put(entry, for: file.resource) { gone.append(old.value) }
      return (true, true, state.unwritten.size)
    }
    if goesToDisk {
      planWriting(hasMany: unwritten > Self.unwrittenBatch)
    } else if liesOnDisk {
      queue.jobs.async { [weak stored] in self.forget(file, before: stored) }
    }
  }

  /// True if nothing has come in the place of what was found, or taken it away, since that second. Where only a file has it, one
  /// that was written since then may be another.
  private static func isStill(_ found: StoredResponse, since second: Int64, _ state: borrowing State) -> Bool {
    let (resource, selectors) = (found.head.key.resource, found.head.selectors)
    let present = state.unwritten.entry(of: resource, selectors) ?? state.memory.entry(of: resource, selectors)
    if let present { return present.value === found }
    return state.disk.entry(of: resource, selectors).map { $0.stored < second * 1000 } ?? false
  }

  static func keepInMemory(
    _ stored: StoredResponse, at time: Int64, _ state: inout State, _ gone: inout [StoredResponse]
  ) {
    let (resource, selectors, size) = (stored.head.key.resource, stored.head.selectors, stored.size)
    guard size <= state.memoryCapacity else {
      gone += state.memory.take(from: resource) { $0.selectors == selectors }.map(\.value)
      return
    }
    let entry = CacheIndex.Entry(stored, selectors: selectors, size: size, stored: time)
    if let old = state.memory.put(entry, for: resource) { gone.append(old.value) }
    gone += state.memory.shrink(to: state.memoryCapacity).map(\.value)
  }

  private func planWriting(hasMany: Bool) {
    _ = Self.isFlushedAtExit
    let isFirst = queue.plan(self)
    if hasMany {
      queue.jobs.async { self.queue.writePlanned() }
    } else if isFirst {
      queue.jobs.asyncAfter(deadline: .now() + Self.unwrittenTime) { self.queue.writePlanned() }
    }
  }

  /// Puts what waits for the disk into files, and records all of it at once. On the queue.
  func writeWaiting() {
    let waiting = state.withLock { state in state.unwritten.entries.map(\.entry) }
    guard !waiting.isEmpty else { return }
    refresh(before: waiting.map(\.value))
    var records: [CacheLog.Record] = []
    for entry in waiting { write(entry.value, at: entry.stored, &records) }
    record(records)
    tidyUp()
  }

  /// Writes it, if it has not been replaced or forgotten meanwhile.
  private func write(_ stored: StoredResponse, at time: Int64, _ records: inout [CacheLog.Record]) {
    let file = CacheFile(stored.head.key.resource, stored.head.selectors)
    guard state.withLock({ $0.unwritten.use(file.resource) { $0 == file.selectors }?.value === stored }) else { return }
    let entry = folder.withLock { $0?.write(stored, at: time) }
    let gone = state.withLock { state in
      _ = state.unwritten.take(from: file.resource) { $0.value === stored }
      // The response that lay there, where nothing could be written, is older.
      guard let entry else { return state.disk.take(from: file.resource) { $0.value == file }.map(\.value) }
      let displaced = state.disk.put(entry, for: file.resource)?.value
      return [displaced].compactMap { $0 == file ? nil : $0 } + state.disk.shrink(to: state.diskCapacity).map(\.value)
    }
    folder.withLock { $0?.remove(gone) }
    if let entry { records.append(.stored(file, size: entry.size, stored: entry.stored)) }
    records += gone.map { .gone($0) }
  }

  /// Records changes, and what could not be recorded before. On the queue.
  func record(_ records: [CacheLog.Record]) {
    let count = state.withLock { state in
      state.isRecording = true
      return state.disk.count
    }
    var gone: [StoredResponse] = []
    let (isPending, pause) = folder.withLock { folder -> (Bool, Duration?) in
      let pause = folder?.record(records, besides: count) {
        self.state.withLock { $0.disk.records }
      } merge: { news in
        self.state.withLock { Self.merge(news, &$0, &gone) }
      }
      return (folder?.hasPending == true, pause ?? nil)
    }
    // The kernel gave a notice of this cache's own write, too: this look takes it.
    watch?.willLook()
    if let news = folder.withLock({ $0?.news() }) { state.withLock { Self.merge(news, &$0, &gone) } }
    state.withLock { $0.isRecording = false }
    note(isUnrecorded: isPending)
    withExtendedLifetime(gone) {}
    guard let pause else { return }
    queue.jobs.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.tryAgain() }
  }

  private func tryAgain() {
    let isPending = folder.withLock { folder in
      folder?.timeCame()
      return folder?.hasPending == true
    }
    if isPending { record([]) }
  }

  /// Removes, once, what others left.
  private func tidyUp(again: Bool = false) {
    guard folder.withLock({ again || $0?.isTidy == false }) else { return }
    let names = state.withLock { state in Set(state.disk.entries.map(\.entry.value.name)) }
    folder.withLock { $0?.tidyUp(names) }
    if indexPath == CachePlace.own.map({ $0.path + "/" + CacheFolder.indexName }) { CachePlace.removeEarlier() }
  }
}

// MARK: - Forgetting

extension CacheStore {
  /// Forgets what is stored under a key, at once in memory, then on the disk; `then` is called when it is gone.
  func remove(_ key: CacheKey, then: (@Sendable () -> Void)? = nil) {
    let resource = key.resource
    remove({ $0.take(from: resource) }, { $0.take(from: resource) }, then)
  }

  /// Forgets what was stored at `date` or later; `then` is called when it is gone.
  func removeAll(since date: Date = .distantPast, then: (@Sendable () -> Void)? = nil) {
    let limit = Int64(max(0, min(date.timeIntervalSince1970 * 1000, 1e15)))
    remove({ $0.takeAll(since: limit) }, { $0.takeAll(since: limit) }, then)
    // Whoever empties the cache means what killed processes left, too.
    if limit == 0, hasDisk { queue.jobs.async { self.tidyUp(again: true) } }
  }

  private func remove(
    _ inMemory: (inout CacheIndex<StoredResponse>) -> [CacheIndex<StoredResponse>.Entry],
    _ onDisk: @escaping @Sendable (inout CacheIndex<CacheFile>) -> [CacheIndex<CacheFile>.Entry],
    _ then: (@Sendable () -> Void)?
  ) {
    let hasDisk = change { state, gone in
      state.changes &+= 1
      gone += (inMemory(&state.memory) + inMemory(&state.unwritten)).map(\.value)
      return Self.hasDisk(state, indexPath)
    }
    guard hasDisk else {
      then?()
      return
    }
    _ = Self.isFlushedAtExit
    queue.jobs.async {
      self.refresh()
      self.forget { onDisk(&$0.disk) }
      then?()
    }
  }

  /// Forgets the file of what `stored` replaces.
  private func forget(_ file: CacheFile, before stored: StoredResponse?) {
    refresh(before: stored.map { [$0] } ?? [])
    forget { $0.disk.take(from: file.resource) { $0.value == file } }
  }

  /// Takes entries out of the index, and their files from the disk. On the queue.
  func forget(_ take: (inout State) -> [CacheIndex<CacheFile>.Entry]) {
    let gone = state.withLock { state in take(&state).map(\.value) }
    guard !gone.isEmpty else { return }
    folder.withLock { $0?.remove(gone) }
    record(gone.map { .gone($0) })
  }

  /// Waits for what was asked before, where there is a disk.
  func settle() { if indexPath != nil { queue.inTurn { queue.writePlanned() } } }

  /// Calls `job` on the queue behind what was asked before.
  func afterAll(_ job: @escaping @Sendable () -> Void) { queue.jobs.async(execute: job) }
}
