// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// A file may have changed as soon as the call has returned that changed it, and may not have while nothing happens.
@Suite(.timeLimit(.minutes(5))) struct FileWatchTests {
  /// What can happen to a file.
  enum Change: String, CaseIterable, Sendable {
    case append, replace, remove, cut
    case putAside = "put aside"
    case hardLink = "another name"
    case folderRemoved = "folder removed"

    func make(at file: URL) throws {
      let (files, other) = (FileManager.default, file.appendingPathExtension("other"))
      switch self {
      case .append:
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("more".utf8))
        try handle.close()
      case .replace:
        try Data("new".utf8).write(to: other)
        try #require(rename(other.path, file.path) == 0)
      case .remove: try files.removeItem(at: file)
      case .cut: try #require(truncate(file.path, 1) == 0)
      case .putAside: try files.moveItem(at: file, to: other)
      case .hardLink: try files.linkItem(at: file, to: other)
      case .folderRemoved: try files.removeItem(at: file.deletingLastPathComponent())
      }
    }
  }

  private static func look(_ watch: FileWatch) -> Bool {
    watch.willLook()
    return !watch.mayHaveChanged
  }

  @Test(arguments: Change.allCases)
  func `a change is known when its call has returned, and a look ends that`(change: Change) throws {
    let folder = try TestDirectory()
    let home = folder.url.appending(path: "home")
    let file = home.appending(path: "file")
    func makeFile() throws {
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      try Data("old".utf8).write(to: file)
    }
    try makeFile()
    let (watch, second) = (FileWatch(file.path), FileWatch(file.path))
    #expect(watch.mayHaveChanged, "nobody has looked yet")
    for _ in 0..<3 {
      #expect(Self.look(watch) && Self.look(second))
      try Data("a neighbour".utf8).write(to: home.appending(path: "neighbour"))
      #expect(!watch.mayHaveChanged)
      try change.make(at: file)
      #expect(watch.mayHaveChanged && second.mayHaveChanged)
      #expect(Self.look(watch) && second.mayHaveChanged)
      try? FileManager.default.removeItem(at: file.appendingPathExtension("other"))
      try makeFile()
      #expect(watch.mayHaveChanged, "the file is there, or is another")
    }
  }

  @Test func `a file comes into folders that are not there yet`() throws {
    let folder = try TestDirectory()
    let home = folder.url.appending(path: "a/b/c")
    let watch = FileWatch(home.appending(path: "file").path)
    #expect(Self.look(watch))
    for part in ["a", "a/b", "a/b/c"] {
      try FileManager.default.createDirectory(at: folder.url.appending(path: part), withIntermediateDirectories: false)
      #expect(watch.mayHaveChanged)
      #expect(Self.look(watch))
    }
    try Data().write(to: home.appending(path: "file"))
    #expect(watch.mayHaveChanged)
    #expect(Self.look(watch))
    try Data().write(to: home.appending(path: "neighbour"))
    #expect(!watch.mayHaveChanged, "the folder is watched no more")
  }

  @Test func `a file whose folder cannot be watched may have changed at any time`() throws {
    let folder = try TestDirectory()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let watch = FileWatch(file.path + "/below a file")
    #expect(!Self.look(watch))
  }

  @Test func `what other threads change at once with looks is never missed`() async throws {
    let folder = try TestDirectory()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let watch = FileWatch(file.path)
    func size() -> Int { (try? Data(contentsOf: file).count) ?? 0 }
    let writer = Task.detached {
      let handle = try FileHandle(forWritingTo: file)
      for _ in 0..<2000 { try handle.write(contentsOf: Data([1])) }
      try handle.close()
    }
    var seen = -1
    while seen < 2000 {
      guard watch.mayHaveChanged else {
        await Task.yield()
        continue
      }
      watch.willLook()
      seen = size()
    }
    try await writer.value
  }
}
