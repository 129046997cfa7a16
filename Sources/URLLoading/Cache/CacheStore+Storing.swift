// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Locking
import Synchronization

/// What goes into a cache and out of it.
extension CacheStore {
  /// Bytes that may wait for the disk; what comes beyond them is kept in memory alone.
  private static let unwrittenLimit = 16 << 20

  /// Keeps a response. `then` is called when it is where it stays: at once, or on the queue.
  func keep(_ stored: StoredResponse, then: (@Sendable () -> Void)? = nil) {
    mayHaveAny.store(true, ordering: .releasing)
    let file = CacheFile(stored.head.key.resource, stored.head.selectors)
    let (goesToDisk, liesOnDisk) = state.withLock { state in
      Self.keepInMemory(stored, at: Self.milliseconds, &state)
      let old = state.unwritten.removeValue(forKey: file)
      state.unwrittenBytes -= old?.size ?? 0
      guard Self.hasDisk(state, indexPath) else { return (false, false) }
      guard stored.policy == .allowed, stored.isWritable, stored.size <= state.diskCapacity,
        state.unwrittenBytes + stored.size <= Self.unwrittenLimit
      else { return (false, true) }
      state.unwritten[file] = stored
      state.unwrittenBytes += stored.size
      return (true, true)
    }
    guard goesToDisk || liesOnDisk else {
      then?()
      return
    }
    _ = Self.isFlushedAtExit
    Self.queue.async {
      if goesToDisk { self.write(file) } else { self.forget { $0.disk.take(from: file.resource) { $0.value == file } } }
      then?()
    }
  }

  static func keepInMemory(_ stored: StoredResponse, at time: Int64, _ state: inout State) {
    let (resource, selectors, size) = (stored.head.key.resource, stored.head.selectors, stored.size)
    guard size <= state.memoryCapacity else {
      _ = state.memory.take(from: resource) { $0.selectors == selectors }
      return
    }
    _ = state.memory.put(.init(stored, selectors: selectors, size: size, stored: time), for: resource)
    _ = state.memory.shrink(to: state.memoryCapacity)
  }

  /// Writes what waits for this file, if it has not been written or forgotten meanwhile. On the queue.
  private func write(_ file: CacheFile) {
    guard let stored = state.withLock({ $0.unwritten[file] }) else { return }
    refresh()
    guard let entry = folder.withLock({ $0?.write(stored) }) else {
      // What lay there is older.
      state.withLock { Self.isWritten(file, stored, &$0) }
      return forget { $0.disk.take(from: file.resource) { $0.value == file } }
    }
    let gone = state.withLock { state in
      Self.isWritten(file, stored, &state)
      let displaced = state.disk.put(entry, for: file.resource).map(\.value).filter { $0 != file }
      return displaced + state.disk.shrink(to: state.diskCapacity).map(\.value)
    }
    folder.withLock { $0?.remove(gone) }
    record([.stored(file, size: entry.size, stored: entry.stored)] + gone.map { .gone($0) })
    tidyUp()
  }

  private static func isWritten(_ file: CacheFile, _ stored: StoredResponse, _ state: inout State) {
    guard state.unwritten[file] === stored else { return }
    state.unwritten[file] = nil
    state.unwrittenBytes -= stored.size
  }

  private func record(_ records: [CacheLog.Record]) {
    let count = state.withLock { state in
      state.isRecording = true
      return state.disk.count
    }
    let known = folder.withLock { folder -> CacheLog.Known? in
      folder?.record(records, besides: count) {
        self.state.withLock { $0.disk.records }
      } merge: { news in
        self.state.withLock { Self.merge(news, &$0) }
      }
      return folder?.known
    }
    state.withLock { ($0.known, $0.isRecording) = (known, false) }
  }

  /// Removes, once, what others left.
  private func tidyUp() {
    guard folder.withLock({ $0?.isTidy == false }) else { return }
    let names = state.withLock { state in Set(state.disk.entries.map(\.entry.value.name)) }
    folder.withLock { $0?.tidyUp(names) }
    if indexPath == CachePlace.own.map({ $0.path + "/" + CacheFolder.indexName }) { CachePlace.removeEarlier() }
  }
}

// MARK: - Forgetting

extension CacheStore {
  /// Forgets what is stored under a key, at once in memory and in the index, then on the disk; `then` is called when it is gone.
  func remove(_ key: CacheKey, then: (@Sendable () -> Void)? = nil) {
    let resource = key.resource
    remove(in: { $0.resource == resource }, { _ = $0.take(from: resource) }, { $0.take(from: resource) }, then)
  }

  /// Forgets what was stored at `date` or later; `then` is called when it is gone.
  func removeAll(since date: Date = .distantPast, then: (@Sendable () -> Void)? = nil) {
    let limit = Int64(max(0, min(date.timeIntervalSince1970 * 1000, 1e15)))
    remove(in: { _ in true }, { _ = $0.takeAll(since: limit) }, { $0.takeAll(since: limit) }, then)
  }

  private func remove(
    in isMeant: (CacheFile) -> Bool, _ inMemory: (inout CacheIndex<StoredResponse>) -> Void,
    _ onDisk: @escaping @Sendable (inout CacheIndex<CacheFile>) -> [CacheIndex<CacheFile>.Entry],
    _ then: (@Sendable () -> Void)?
  ) {
    let hasDisk = state.withLock { state in
      inMemory(&state.memory)
      for (file, stored) in state.unwritten where isMeant(file) { Self.isWritten(file, stored, &state) }
      return Self.hasDisk(state, indexPath)
    }
    guard hasDisk else {
      then?()
      return
    }
    _ = Self.isFlushedAtExit
    Self.queue.async {
      self.refresh()
      self.forget { onDisk(&$0.disk) }
      then?()
    }
  }

  /// Takes entries out of the index, and their files from the disk. On the queue.
  func forget(_ take: (inout State) -> [CacheIndex<CacheFile>.Entry]) {
    let gone = state.withLock { state in take(&state).map(\.value) }
    guard !gone.isEmpty else { return }
    folder.withLock { $0?.remove(gone) }
    record(gone.map { .gone($0) })
  }

  /// Waits for what was asked before, where there is a disk.
  func settle() { if indexPath != nil { Self.queue.sync {} } }

  /// Calls `job` on the queue behind what was asked before.
  func afterAll(_ job: @escaping @Sendable () -> Void) { Self.queue.async(execute: job) }
}
