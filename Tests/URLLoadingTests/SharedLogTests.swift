// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import HTTPRules
import Locking
import TestSupport
import Testing

@testable import URLLoading

/// A file that several processes write line by line.
@Suite struct SharedLogTests {
  private static func record(_ number: Int, of writer: Int = 0) -> CacheLog.Record {
    .gone(CacheFile(UInt64(writer) << 32 | UInt64(number), [:]))
  }

  @Test func `of lines that two write at the same moment both read all`() throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "log")
    var first = CacheLog(file)
    let isMade = first.replace(with: [])
    #expect(isMade)
    let count = 2000
    let seen = Locked<[Int: Set<Int>]>([:])
    let failures = Locked(0)
    let start = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 2) { writer in
      var log = CacheLog(file)
      var known: Set<Int> = []
      func take(_ news: CacheLog.News?) {
        for case .gone(let file) in news?.records ?? [] where file.resource >> 32 != UInt64(writer) {
          known.insert(Int(file.resource & 0xFFFF_FFFF))
        }
      }
      take(log.news())
      start.withLock { $0 += 1 }
      while start.withLock({ $0 }) < 2 {}
      for number in 0..<count {
        let record = Self.record(number, of: writer)
        let outcome = log.write([record], besides: 10 * count, all: { [] }, merge: { take($0) })
        if outcome != .written { failures.withLock { $0 += 1 } }
        if number % 16 == 0 { take(log.news()) }
      }
      start.withLock { $0 += 1 }
      while start.withLock({ $0 }) < 4 {}
      take(log.news())
      seen.withLock { $0[writer] = known }
    }
    #expect(failures.withLock { $0 } == 0)
    for writer in 0..<2 { #expect(seen.withLock { $0[writer]?.count } == count) }
  }

  @Test func `a file that was written anew twice is no continuation of the one that was read`() throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "log")
    var (one, other) = (CacheLog(file), CacheLog(file))
    var next = 0
    func replace(_ count: Int) -> [CacheLog.Record] {
      let records = (next..<next + count).map { Self.record($0) }
      next += count
      let isReplaced = other.replace(with: records)
      #expect(isReplaced)
      return records
    }
    for count in 1..<20 {
      for more in [0, 3] {
        _ = replace(count)
        _ = one.news()
        _ = replace(count)
        let records = replace(count + more)
        let news = one.news()
        #expect(news?.isWhole == true && news?.records == records, "\(count) + \(more)")
      }
    }
  }

  @Test func `where another process is just appending, a file of many changes gets one more line`() throws {
    let directory = try TestDirectory()
    var log = CacheLog(directory.url.appending(path: "log"))
    let records = (0..<300).map { Self.record($0) }
    let isMade = log.replace(with: records)
    let lock = open(directory.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(isMade && flock(lock, LOCK_SH | LOCK_NB) == 0)
    let appending = log.write([Self.record(300)], besides: 0, all: { [] }, merge: { _ in })
    var other = CacheLog(directory.url.appending(path: "log"))
    let appended = other.news()
    #expect(appending == .written && appended?.records == records + [Self.record(300)])
    // A child that is just being started has the descriptor, too.
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    let replacing = log.write([Self.record(301)], besides: 0, all: { [Self.record(9)] }, merge: { _ in })
    let replaced = other.news()
    #expect(replacing == .written && replaced?.records == [Self.record(9)])
  }
}
