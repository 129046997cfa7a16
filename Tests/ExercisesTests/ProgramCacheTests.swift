// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Testing

@testable import Exercises

@Suite struct ProgramCacheTests {
  private func keep(_ source: String, in cache: ProgramCache, build: String = "1") throws -> ProgramCache.Entry {
    let work = try cache.makeWorkFolder()
    let program = work.appendingPathComponent(ProgramCache.Entry.program).path
    #expect(FileManager.default.createFile(atPath: program, contents: Data(), attributes: [.posixPermissions: 0o755]))
    return try cache.keep(work, source, build: build, warnings: "w")
  }

  @Test func `a program is found by its source and by its build`() throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    let entry = try keep("a", in: cache)
    #expect(cache.find("a", build: "1") == entry)
    #expect(entry.remarks == "w")
    #expect(cache.find("b", build: "1") == nil && cache.find("a", build: "2") == nil)
    #expect(try keep("a", in: cache) == entry, "the same program once more is the same")
  }

  @Test func `the cache is closed to other users, and what another may change is compiled again`() throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    let entry = try keep("a", in: cache)
    let mode = try FileManager.default.attributesOfItem(atPath: cache.folder.path)[.posixPermissions] as? NSNumber
    #expect(mode == 0o700)
    for (path, wrong, right) in [(entry.executable, 0o777, 0o755), (entry.folder.path, 0o770, 0o700)] {
      chmod(path, mode_t(wrong))
      #expect(cache.find("a", build: "1") == nil, "\(path)")
      chmod(path, mode_t(right))
      #expect(cache.find("a", build: "1") == entry)
    }
    let moved = folder.url.path + "/moved"
    try FileManager.default.moveItem(atPath: entry.executable, toPath: moved)
    try FileManager.default.createSymbolicLink(atPath: entry.executable, withDestinationPath: moved)
    #expect(cache.find("a", build: "1") == nil, "a link may lead anywhere")
  }

  /// How many programs lie in the cache.
  private func count(_ cache: ProgramCache) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: cache.folder.path + "/programs").count
  }

  @Test func `a program in use stays, whatever other graders compile, and goes when it is free`() throws {
    let folder = try TestFolder()
    let (mine, other) = (
      ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path]),
      ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    )
    let used = try keep("used", in: mine)
    try age(used, by: 1000)
    let path = used.executable
    try withExtendedLifetime(used) {
      for number in 0..<2 * ProgramCache.capacity { try age(keep("\(number)", in: other), by: Double(500 - number)) }
      #expect(access(path, X_OK) == 0)
      #expect(try count(other) == ProgramCache.capacity + 1, "one more than the cache keeps, for it is in use")
    }
    _ = consume used
    _ = try keep("last", in: other)
    #expect(access(path, X_OK) != 0)
    #expect(try count(other) == ProgramCache.capacity)
  }

  @Test func `two graders of one source use one program`() throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    let first = try keep("a", in: cache)
    let stamp = FileStamp(first.executable)
    #expect(try keep("a", in: cache).folder == first.folder)
    #expect(FileStamp(first.executable) == stamp, "the first one's is not replaced")
  }

  @Test func `a remnant in a program's place is replaced, a program of the same checksum is left alone`() throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    let place = try keep("a", in: cache).folder
    try Data("other".utf8).write(to: place.appendingPathComponent(ProgramCache.Entry.source))
    #expect(cache.find("a", build: "1") == nil)
    let second = try keep("a", in: cache)
    #expect(second.folder == place && cache.find("a", build: "1") == second)
    try Data("other".utf8).write(to: place.appendingPathComponent(ProgramCache.Entry.source))
    let third = try keep("a", in: cache)
    #expect(third.folder != place)
    #expect([second, third].map { access($0.executable, X_OK) } == [0, 0])
  }

  @Test func `the programs used last are kept`() throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    for number in 0..<ProgramCache.capacity { try age(keep("\(number)", in: cache), by: Double(100 - number)) }
    #expect(cache.find("0", build: "1") != nil, "now it is used")
    _ = try keep("new", in: cache)
    #expect(cache.find("0", build: "1") != nil && cache.find("new", build: "1") != nil)
    #expect(cache.find("1", build: "1") == nil)
    #expect(cache.find("2", build: "1") != nil)
  }

  @Test(arguments: [("2", 2), ("0", ProgramCache.capacity), ("many", ProgramCache.capacity)])
  func `the environment says how many are kept`(_ value: String, _ expected: Int) throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path, ProgramCache.variable: value])
    for number in 0...ProgramCache.capacity { _ = try keep("\(number)", in: cache) }
    #expect(try count(cache) == expected)
  }

  private func age(_ entry: ProgramCache.Entry, by seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: entry.folder.path)
  }

  @Test func `the folder of a compilation that was interrupted long ago goes`() throws {
    let folder = try TestFolder()
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": folder.url.path])
    let (old, new) = (try cache.makeWorkFolder(), try cache.makeWorkFolder())
    try FileManager.default.setAttributes([.modificationDate: Date.now - 4000], ofItemAtPath: old.path)
    _ = try keep("a", in: cache)
    #expect(!FileManager.default.fileExists(atPath: old.path))
    #expect(FileManager.default.fileExists(atPath: new.path))
  }

  @Test func `its place is the environment's, as the specification has it`() {
    #expect(ProgramCache(environment: ["XDG_CACHE_HOME": "/x", "HOME": "/h"]).folder.path == "/x/workbench")
    #expect(ProgramCache(environment: ["XDG_CACHE_HOME": "x", "HOME": "/h"]).folder.path == "/h/.cache/workbench")
    #expect(ProgramCache(environment: [:]).folder.deletingLastPathComponent().path == NSTemporaryDirectory().trimmed)
  }

  @Test func `a folder that cannot be written to is named, with the cure`() throws {
    let cache = ProgramCache(environment: ["XDG_CACHE_HOME": "/proc/nowhere"])
    do throws(LessonKitError) {
      _ = try cache.makeWorkFolder()
      Issue.record("a folder in /proc was made")
    } catch {
      #expect(error.code == .environment)
      #expect(error.description.hasPrefix("Compiled programs are kept in /proc/nowhere/workbench, which cannot be"))
      #expect(error.description.hasSuffix("or set XDG_CACHE_HOME to a folder that you may write to."))
    }
  }
}

extension String {
  /// Without the slash that a folder's path may end with.
  fileprivate var trimmed: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
