// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import TestSupport
import Testing

@testable import URLLoading

@Suite struct CachePlaceTests {
  @Test func `CA-13: what 0.1.0 stored goes, and what the toolchain stored stays`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earlier-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = ["ours.storedcachedurlresponse", "theirs.storedcachedurlresponse", "ours.other"]
    for name in names { try Data([1]).write(to: folder.appendingPathComponent(name)) }
    for name in names where name.hasPrefix("ours") {
      try #require(setxattr(folder.path + "/" + name, "user.workbench.digest", "x", 1, 0) == 0)
    }
    CachePlace.removeEarlier(in: folder.path)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(names.dropFirst()))
    CachePlace.removeEarlier(in: folder.path + "/none")
  }
}
