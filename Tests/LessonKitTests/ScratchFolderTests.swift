// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

@testable import LessonKit

@Suite struct ScratchFolderTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scratch-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func names(_ folder: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  /// A folder as a run leaves it that was killed: its lock is free.
  private func abandon(_ name: String, in folder: String, lock: Bool = true) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)/example", withIntermediateDirectories: true)
    if lock { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)/lock")) }
  }

  @Test func `what a killed run left is removed, what a running one has is not`() throws {
    try inFolder { folder in
      let running = try ScratchFolder(in: folder)
      let kept = try names(folder)
      try abandon("workbench-run-aaaaaa", in: folder)
      let next = try ScratchFolder(in: folder)
      let now = try names(folder)
      #expect(kept.count == 1 && now.isSuperset(of: kept) && now.count == 2)
      #expect(!now.contains("workbench-run-aaaaaa"))
      next.remove()
      running.remove()
      #expect(try names(folder).isEmpty)
    }
  }

  @Test func `folders that are no run's stay, and so does what a link leads to`() throws {
    try inFolder { folder in
      try abandon("workbench-run-nolock", in: folder, lock: false)
      try abandon("mine", in: folder)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/workbench-run-link", withDestinationPath: "\(folder)/mine")
      let before = try names(folder)
      let run = try ScratchFolder(in: folder)
      run.remove()
      #expect(try names(folder) == before)
      #expect(try names("\(folder)/mine") == ["example", "lock"])
    }
  }

  @Test func `another user's folder stays`() throws {
    try inFolder { folder in
      try abandon("workbench-run-other", in: folder)
      guard chown("\(folder)/workbench-run-other", 12345, 12345) == 0 else { return }
      try ScratchFolder(in: folder).remove()
      #expect(try names(folder) == ["workbench-run-other"])
    }
  }

  @Test func `folders in it are new and empty`() throws {
    try inFolder { folder in
      let run = try ScratchFolder(in: folder)
      defer { run.remove() }
      let (first, second) = (try run.makeSubfolder(), try run.makeSubfolder())
      #expect(first != second)
      #expect(try names(first).isEmpty)
    }
  }
}
