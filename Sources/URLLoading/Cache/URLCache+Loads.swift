// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// The questions of loads to a cache. A program's own class is asked by its open methods, which may take any time, on a queue
/// of its own.
extension URLCache {
  /// True if this is no class of a program's.
  private var isPlain: Bool { type(of: self) == URLCache.self }

  /// The largest body that is stored, in bytes. A program's own class may override the capacities, but is not asked on the I/O thread:
  /// those that it was made with count.
  var sizeLimit: Int {
    CacheRules.sizeLimit(memory: store.memoryCapacity, disk: !isPlain || store.hasDisk ? store.diskCapacity : 0)
  }

  /// The largest body that is stored in memory alone, in bytes.
  var sizeLimitOfMemory: Int { CacheRules.sizeLimit(memory: store.memoryCapacity, disk: 0) }

  /// Looks a request up in memory and index, on the I/O thread; `.onDisk` where a file or the program's own class has to answer.
  func look(_ asked: CacheRules.Asked) -> CacheStore.Look {
    guard isPlain else { return .onDisk(news: false) }
    return store.look(CacheKey(text: asked.url)) { Self.matches(asked, $0) }
  }

  private static func matches(_ asked: CacheRules.Asked, _ selectors: [String: UInt64]) -> Bool {
    selectors.allSatisfy { CacheRules.digest(of: asked.fields[$0.key]) == $0.value }
  }

  /// Looks a request up in the file, or asks the program's own class, on a queue; `then` is called on the I/O thread.
  func find(
    _ asked: CacheRules.Asked, for request: URLRequest, news: Bool, on transport: Transport,
    then: @escaping @Sendable (StoredResponse?) -> Void
  ) {
    let key = CacheKey(text: asked.url)
    line.enter(key)
    if news { store.countWaiting(1) }
    let answer: @Sendable (StoredResponse?) -> Void = { found in
      transport.perform {
        self.line.leave(key)
        if news { self.store.countWaiting(-1) }
        then(found)
      }
    }
    guard isPlain else { return queue.async { answer(self.ownResponse(key, request, asked)) } }
    store.find(key, where: { Self.matches(asked, $0) }, then: answer)
  }

  private func ownResponse(_ key: CacheKey, _ request: URLRequest, _ asked: CacheRules.Asked) -> StoredResponse? {
    guard let cached = cachedResponse(for: request) else { return nil }
    return StoredResponse(cached, key, fields: asked.fields)
  }

  /// Calls `then` on the I/O thread, behind all that was asked for this URL before.
  func waitInLine(_ key: CacheKey, on transport: Transport, then: @escaping @Sendable () -> Void) {
    line.enter(key)
    let answer: @Sendable () -> Void = {
      transport.perform {
        self.line.leave(key)
        then()
      }
    }
    if isPlain { store.afterAll(answer) } else { queue.async(execute: answer) }
  }

  /// Stores a response for a request, which may confirm what was `found`; `then` is called when it is found from now on: at once,
  /// or on a queue.
  func keep(
    _ stored: StoredResponse, for request: URLRequest, confirming found: StoredResponse? = nil,
    then: (@Sendable () -> Void)? = nil
  ) {
    guard !isPlain else {
      store.keep(stored, confirming: found)
      then?()
      return
    }
    queue.async {
      if let cached = stored.cached { self.storeCachedResponse(cached, for: request) }
      then?()
    }
  }

  /// Forgets what is stored under these URLs.
  func forget(_ urls: [URL]) {
    if isPlain {
      for url in urls { store.remove(CacheKey(url)) }
    } else {
      queue.async { for url in urls { self.removeCachedResponse(for: URLRequest(url: url)) } }
    }
  }

  /// Writes what waits for the disk; `then` is called on a queue.
  func write(then: @escaping @Sendable () -> Void) {
    store.afterAll {
      self.store.queue.writePlanned()
      then()
    }
  }

  /// Removes all responses; `then` is called on a queue.
  func empty(then: @escaping @Sendable () -> Void) {
    queue.async {
      self.removeAllCachedResponses()
      then()
    }
  }
}
