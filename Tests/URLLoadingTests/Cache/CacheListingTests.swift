// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing

@testable import URLLoading

/// A cache's folder is listed as often as it has changed.
@Suite struct CacheListingTests {
  private let directory: TestDirectory
  private let count = Locked(0)

  init() throws {
    directory = try TestDirectory()
    // So that the first change shows, however soon it comes.
    let past = Date(timeIntervalSince1970: 1)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: directory.url.path)
  }

  private func add(_ name: String) throws {
    try Data().write(to: directory.url.appending(path: name))
  }

  private func listing() -> CacheListing {
    CacheListing(directory.url.path) { [count] folder in
      count.withLock { $0 += 1 }
      return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
  }

  /// A time at which all changes so far are long past.
  private var later: Int64 { FolderStamp.now + 10_000_000_000 }

  @Test func `files are found by the key in their names`() throws {
    for name in ["1.a==.storedcachedurlresponse", "2.a==.storedcachedurlresponse", "3.b.storedcachedurlresponse"] {
      try add(name)
    }
    try add("a==.other")
    try add(".storedcachedurlresponse")
    var listing = listing()
    #expect(listing.files(for: "a==").sorted() == ["1.a==.storedcachedurlresponse", "2.a==.storedcachedurlresponse"])
    #expect(listing.files(for: "b") == ["3.b.storedcachedurlresponse"])
    #expect(listing.files(for: "c") == [])
  }

  @Test func `a folder that has not changed is listed once, and again when it has`() throws {
    var listing = listing()
    for key in ["a", "b", "c"] { #expect(listing.files(for: key, at: later) == []) }
    #expect(count.withLock { $0 } == 1)
    try add("1.a.storedcachedurlresponse")
    #expect(listing.files(for: "a", at: later) == ["1.a.storedcachedurlresponse"])
    #expect(listing.files(for: "a", at: later) == ["1.a.storedcachedurlresponse"])
    #expect(count.withLock { $0 } == 2)
    try FileManager.default.removeItem(at: directory.url)
    #expect(listing.files(for: "a", at: later) == [])
  }

  @Test func `right after a change, when another would not show, it is listed each time`() throws {
    var listing = listing()
    let now = FolderStamp.now
    try add("new")
    for _ in 0..<3 { _ = listing.files(for: "a", at: now) }
    #expect(count.withLock { $0 } == 3)
  }
}
