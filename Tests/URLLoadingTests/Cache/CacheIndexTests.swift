// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

/// The entries that a cache holds and those that give way.
@Suite struct CacheIndexTests {
  private typealias Index = CacheIndex<String>

  private func entry(_ value: String, _ selectors: [String: UInt64] = [:], size: Int = 10, at stored: Int64 = 0)
    -> Index.Entry
  {
    .init(value, selectors: selectors, size: size, stored: stored)
  }

  private func find(_ index: inout Index, _ resource: UInt64, _ selectors: [String: UInt64] = [:]) -> String? {
    index.use(resource) { $0.allSatisfy { selectors[$0.key] == $0.value } }?.value
  }

  @Test func `one with the same selectors is replaced, others stay beside it`() {
    var index = Index()
    #expect(index.put(entry("a"), for: 1) == nil)
    #expect(index.put(entry("b", size: 4), for: 1)?.value == "a")
    #expect(index.put(entry("c", ["accept": 7]), for: 1) == nil && index.put(entry("d"), for: 2) == nil)
    #expect(index.count == 3 && index.size == 24)
    #expect(find(&index, 1, ["accept": 7]) == "c" && find(&index, 1, ["accept": 8]) == "b" && find(&index, 3) == nil)
    #expect(index.take(from: 1).map(\.value).sorted() == ["b", "c"] && index.count == 1 && index.size == 10)
  }

  @Test func `of several that match it is the one that was stored last`() {
    var index = Index()
    for (value, selectors, time) in [("old", ["a": 1], 5), ("new", ["b": 2], 9), ("oldest", [:], 1)] {
      _ = index.put(entry(value, selectors.mapValues { UInt64($0) }, at: Int64(time)), for: 1)
    }
    #expect(find(&index, 1, ["a": 1, "b": 2]) == "new" && find(&index, 1, ["a": 1]) == "old")
  }

  @Test func `what was used longest ago gives way, down to nine tenths`() {
    var index = Index()
    for number in 0..<20 { _ = index.put(entry("\(number)"), for: UInt64(number)) }
    #expect(index.shrink(to: 200).isEmpty)
    #expect(find(&index, 0) == "0")
    #expect(index.shrink(to: 199).map(\.value) == ["1", "2", "3"] && index.size == 170)
    #expect(index.shrink(to: 0).count == 17 && index.isEmpty && index.size == 0)
  }

  @Test func `what was put last stays as long as it fits`() {
    var index = Index()
    for number in 0..<5 { _ = index.put(entry("\(number)"), for: UInt64(number)) }
    _ = index.put(entry("large", size: 195), for: 9)
    #expect(index.shrink(to: 200).count == 5 && find(&index, 9) == "large" && index.size == 195)
    #expect(index.shrink(to: 194).count == 1 && index.isEmpty)
  }

  @Test func `a server that varies without end fills no cache`() {
    var index = Index()
    for number in 0..<100 { _ = index.put(entry("\(number)", ["x": UInt64(number)]), for: 1) }
    #expect(index.count == Index.limitPerResource && index.size == 10 * Index.limitPerResource)
    #expect(find(&index, 1, ["x": 99]) == "99" && find(&index, 1, ["x": 0]) == nil)
  }

  @Test func `what was stored since a time goes`() {
    var index = Index()
    for number in 0..<5 { _ = index.put(entry("\(number)", at: Int64(number)), for: UInt64(number)) }
    #expect(index.takeAll(since: 3).map(\.value).sorted() == ["3", "4"] && index.count == 3)
  }
}
