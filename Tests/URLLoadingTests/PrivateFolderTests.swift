// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// DL-23: the folder for bodies on their way to a program.
@Suite struct PrivateFolderTests {
  private let directory: TestDirectory
  private var usual: URL { directory.url.appendingPathComponent("workbench-\(geteuid())") }

  init() throws {
    directory = try TestDirectory()
    #expect(chmod(directory.url.path, 0o1777) == 0)
  }

  @Test func `it is made once, and made again when it was removed`() throws {
    for _ in 0..<2 {
      for _ in 0..<2 { #expect(PrivateFolder.url(in: directory.url, otherwise: { nil }).path == usual.path) }
      #expect(PrivateFolder.isPrivate(usual.path))
      try FileManager.default.removeItem(at: usual)
    }
  }

  @Test func `a folder for temporary files that is private already is taken as it is`() {
    #expect(chmod(directory.url.path, 0o700) == 0)
    #expect(PrivateFolder.url(in: directory.url, otherwise: { nil }) == directory.url)
    #expect(directory.files == [])
  }

  @Test(arguments: ["open", "link", "file"])
  func `what is not private, or is no folder, is left alone`(kind: String) throws {
    let elsewhere = try TestDirectory()
    switch kind {
    case "open":
      #expect(mkdir(usual.path, 0o700) == 0 && chmod(usual.path, 0o750) == 0)
    case "link": #expect(symlink(elsewhere.url.path, usual.path) == 0)
    default: try Data().write(to: usual)
    }
    #expect(PrivateFolder.url(in: directory.url, otherwise: { "/other" }).path == "/other")
    #expect(elsewhere.files == [])
  }
}
