// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import TestSupport
import Testing

@testable import URLLoading

@Suite struct CachePlaceTests {
  @Test func `what 0.1.0 stored goes, and what the toolchain stored stays (CA-13)`() throws {
    let directory = try TestDirectory()
    let folder = directory.url
    let names = ["ours.storedcachedurlresponse", "theirs.storedcachedurlresponse", "ours.other"]
    for name in names { try Data([1]).write(to: folder.appendingPathComponent(name)) }
    for name in names where name.hasPrefix("ours") {
      try #require(setxattr(folder.path + "/" + name, "user.workbench.digest", "x", 1, 0) == 0)
    }
    CachePlace.removeEarlier(in: folder.path)
    #expect(Set(directory.files) == Set(names.dropFirst()))
    CachePlace.removeEarlier(in: folder.path + "/none")
  }
}
