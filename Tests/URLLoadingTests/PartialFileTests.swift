// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// DL-09 and DL-13: only the very file that a download wrote is opened again.
@Suite final class PartialFileTests {
  private let directory = FileManager.default.temporaryDirectory.appending(
    path: "PartialFileTests-\(UUID().uuidString)")
  private var path: String { directory.path + "/CFNetworkDownload_abcdef.tmp" }

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func make(_ path: String, mode: Int = 0o600) throws -> UInt64 {
    try Data(repeating: 7, count: 40).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return try number(path)
  }

  private func number(_ path: String) throws -> UInt64 {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return UInt64(status.st_ino)
  }

  private func open(_ number: UInt64, received: Int64 = 40) throws(ResumeRefusal) -> PartialFile {
    guard var record = try? ResumeRecordTests.record() else { throw ResumeRefusal("no record") }
    record.fileName = "CFNetworkDownload_abcdef.tmp"
    (record.fileNumber, record.received) = (number, received)
    return try PartialFile(of: record, in: directory)
  }

  @Test func `the file that was written is opened, and stays when nothing comes of it`() throws {
    let number = try make(path)
    do { _ = try open(number) }
    do { _ = try open(number, received: 39) }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `it is opened once at a time (DL-21)`() throws {
    let number = try make(path)
    let first = try open(number)
    #expect(throws: ResumeRefusal.self) { try self.open(number) }
    first.keep()
    _ = try open(number)
  }

  /// A process that forks has every file open twice until its child executes a program.
  @Test func `a file that was released can be opened, though a forked process still has it (DL-21)`() throws {
    let file = PrivateFile()
    try file.create(in: directory)
    let (url, number) = try #require(file.place)
    let copies = (3..<4096).filter { (try? target(of: $0)) == url.path }.map { dup(Int32($0)) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    #expect(throws: ResumeRefusal.self) { try partial(url, number) }
    try file.keep().keep()
    try partial(url, number).keep()
    _ = try partial(url, number)
  }

  private func target(of descriptor: Int) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }

  private func partial(_ url: URL, _ number: UInt64) throws(ResumeRefusal) -> PartialFile {
    try PartialFile(named: url.lastPathComponent, number: number, count: 0, in: directory)
  }

  @Test func `another file, one too short, one that others may read, and none at all are refused (DL-09)`() throws {
    let number = try make(path)
    #expect(throws: ResumeRefusal.self) { try self.open(number &+ 1) }
    #expect(throws: ResumeRefusal.self) { try self.open(number, received: 41) }
    #expect(chmod(path, 0o640) == 0)
    #expect(throws: ResumeRefusal.self) { try self.open(number) }
    #expect(unlink(path) == 0)
    #expect(throws: ResumeRefusal.self) { try self.open(number) }
  }

  @Test func `a link, symbolic or hard, is not followed (DL-09)`() throws {
    let target = directory.path + "/target"
    let number = try make(target)
    #expect(symlink(target, path) == 0)
    #expect(throws: ResumeRefusal.self) { try self.open(number) }
    #expect(unlink(path) == 0)
    #expect(link(target, path) == 0)
    #expect(throws: ResumeRefusal.self) { try self.open(number) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count == 40)
  }

  @Test func `a FIFO and a folder are refused without waiting (DL-09)`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ResumeRefusal.self) { try self.open(try self.number(self.path)) }
    #expect(unlink(path) == 0)
    #expect(mkdir(path, 0o700) == 0)
    #expect(throws: ResumeRefusal.self) { try self.open(try self.number(self.path)) }
  }

  @Test func `what a load wrote goes unless it is kept, and is private (DL-13)`() throws {
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] }
    func write() throws -> PartialFile {
      let file = PrivateFile()
      try file.create(in: directory)
      try Array("hello".utf8).withUnsafeBytes { try file.append($0) }
      return try file.keep()
    }
    do {
      let part = try write()
      #expect(part.number == (try number(part.url.path)))
      #expect(part.count == 5)
      #expect(try Data(contentsOf: part.url) == Data("hello".utf8))
    }
    #expect(names == [])
    let kept = try write()
    kept.keep()
    #expect(names.count == 1)
    #expect(PartialFile.isName(names.first ?? ""))
    let mode = FileManager.default.mode(of: kept.url.path)
    #expect(mode == 0o600)
  }

  @Test func `what lies behind the offset is cut off when the download goes on`() throws {
    let number = try make(path)
    let file = PrivateFile()
    try file.resume(with: try open(number), from: 3)
    try Array("hello".utf8).withUnsafeBytes { try file.append($0) }
    #expect(try Data(contentsOf: try file.finish()) == Data([7, 7, 7]) + Data("hello".utf8))
  }
}
