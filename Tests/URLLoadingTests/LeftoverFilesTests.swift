// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// CA-06, CK-11: what killed writers left.
@Suite struct LeftoverFilesTests {
  /// The number of a process that has ended: one more than any the kernel gives (proc(5), pid_max).
  private static let gone = String(Int32(1 << 22) + 1, radix: 16, uppercase: true)

  private func remaining(_ names: [String], secondsOld: TimeInterval = 120) throws -> Set<String> {
    let directory = try TestDirectory()
    for name in names {
      let file = directory.url.appending(path: name)
      try Data().write(to: file)
      let changed = Date(timeIntervalSinceNow: -secondsOld)
      try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: file.path)
    }
    LeftoverFiles.remove(in: directory.url)
    return Set(directory.files)
  }

  @Test func `the file of a process that is gone goes, a minute after it was written`() throws {
    let name = ".dat.nosync\(Self.gone).aB3xyz"
    #expect(try remaining([name]).isEmpty)
    #expect(try remaining([name], secondsOld: 0) == [name])
  }

  @Test func `the file of a process that lives stays, and so does everything else`() throws {
    let names: Set = [
      ".dat.nosync\(String(getpid(), radix: 16, uppercase: true)).aB3xyz", ".dat.nosync\(Self.gone)",
      ".dat.nosync\(Self.gone).aB3xy", ".dat.nosync.aB3xyz", ".dat.nosync-1.aB3xyz", ".dat.nosync0.aB3xyz",
      ".dat.nosync\(Self.gone).a.B3xy", "dat.nosync\(Self.gone).aB3xyz", ".dat.nosyncFFFFFFFFF.aB3xyz",
      "1.eA==.storedcachedurlresponse",
    ]
    #expect(try remaining(Array(names)) == names)
  }
}
