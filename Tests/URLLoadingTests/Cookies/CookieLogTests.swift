// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import HTTPRules
import TestSupport
import Testing

@testable import URLLoading

/// CK-11: the file in which a storage keeps its cookies, whatever became of it.
@Suite struct CookieLogTests {
  private final class Folder {
    private let directory: TestDirectory
    var url: URL { directory.url }
    var file: URL { url.appending(path: "jar") }
    var names: Set<String> { Set(directory.files) }

    init() throws { directory = try TestDirectory() }

    /// A storage with this file, as each process has one.
    func store() -> CookieStore { CookieStore { [file] in file } }
  }

  private static func record(_ name: String, _ value: String = "<&>\u{E4}\n") -> CookieLog.Record {
    CookieLog.Record(
      facts: CookieFacts(
        name: name, value: value, domain: "x.test", isHostOnly: true, path: "/",
        expires: Date(timeIntervalSince1970: 2e9),
        isSecure: true, isHTTPOnly: true, sameSite: "lax", created: Date(timeIntervalSince1970: 1e9)), lastUse: 3)
  }

  private static func set(_ name: String, in store: CookieStore, _ more: String = "; Path=/; Max-Age=3600") throws {
    let url = try #require(URL(string: "http://x.test/"))
    _ = store.receive(["\(name)=1\(more)"], from: url, mainDocument: nil, policy: .always)
  }

  private static func names(_ store: CookieStore) -> [String] { store.cookies.map(\.name) }

  @Test func `a line comes back as it was, and a changed or cut one does not`() throws {
    let record = Self.record("a")
    let line = CookieLog.line(record).dropLast()
    #expect(CookieLog.record(line) == record)
    for count in 0..<line.count { #expect(CookieLog.record(line.prefix(count)) == nil, "\(count)") }
    for place in line.indices {
      for bit in 0..<8 {
        var changed = line
        changed[place] ^= 1 << bit
        #expect(CookieLog.record(changed) == nil, "\(place) ^ \(bit)")
      }
    }
  }

  @Test func `a file that is changed in any byte loses the line of it alone`() throws {
    let folder = try Folder()
    var log = CookieLog(folder.file)
    let all = ["a", "b", "c"].map { Self.record($0) }
    let isWritten = log.replace(with: all)
    #expect(isWritten)
    let whole = Array(try Data(contentsOf: folder.file))
    for (place, bit) in whole.indices.flatMap({ [($0, UInt8(1)), ($0, UInt8(2))] }) {
      var changed = whole
      changed[place] ^= bit
      try Data(changed).write(to: folder.file)
      var other = CookieLog(folder.file)
      let read = other.news()?.records ?? []
      #expect(
        read.count >= (changed[place] == 10 || whole[place] == 10 ? 1 : 2) && read.allSatisfy(all.contains), "\(place)")
    }
    #expect(folder.names == ["jar"])
  }

  @Test func `two storages on one file see each other's cookies, and lose none`() throws {
    let folder = try Folder()
    let (one, other) = (folder.store(), folder.store())
    for number in 0..<40 { try Self.set("c\(number)", in: number % 2 == 0 ? one : other) }
    #expect(Set(Self.names(one)) == Set((0..<40).map { "c\($0)" }) && Set(Self.names(other)) == Set(Self.names(one)))
    try Self.set("c7", in: one, "; Path=/; Max-Age=0")
    #expect(!Self.names(other).contains("c7") && Self.names(other).count == 39)
    #expect(Set(Self.names(folder.store())) == Set(Self.names(one)))
  }

  @Test func `a cookie that goes with the session is in no file, and takes the place of one that was`() throws {
    let folder = try Folder()
    let (one, other) = (folder.store(), folder.store())
    try Self.set("a", in: one)
    try Self.set("b", in: one, "; Path=/")
    #expect(Self.names(other) == ["a"])
    try Self.set("a", in: one, "; Path=/")
    #expect(Self.names(one).sorted() == ["a", "b"] && Self.names(other) == [])
  }

  @Test func `an own line that is read again takes no cookie of the session`() throws {
    let folder = try Folder()
    let (one, other) = (folder.store(), folder.store())
    try Self.set("a", in: one)
    let lock = open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Self.set("a", in: one, "; Path=/")
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    // Another process writes before the removal of the old one does, so that both lines are news.
    try Self.set("b", in: other)
    one.flush()
    #expect(Self.names(one).sorted() == ["a", "b"] && Self.names(other) == ["b"])
  }

  @Test func `a file of many changes is written anew, and the other processes follow`() throws {
    let folder = try Folder()
    let (one, other) = (folder.store(), folder.store())
    try Self.set("kept", in: other)
    for number in 0..<1000 { try Self.set("c", in: one, "; Path=/; Max-Age=\(1000 + number)") }
    #expect(try Data(contentsOf: folder.file).count < 100_000)
    #expect(Self.names(other).sorted() == ["c", "kept"])
    try Self.set("d", in: other)
    #expect(Self.names(one).sorted() == ["c", "d", "kept"])
    #expect(folder.names == ["jar"])
  }

  @Test func `what cannot be written while another process holds the folder is written later`() throws {
    let folder = try Folder()
    let store = folder.store()
    try Self.set("a", in: store)
    let lock = open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Self.set("b", in: store)
    #expect(Self.names(folder.store()) == ["a"] && Self.names(store).sorted() == ["a", "b"])
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    store.flush()
    #expect(Self.names(folder.store()).sorted() == ["a", "b"])
  }

  @Test func `what waited for a lock is written when it is free, though the program does nothing more (CK-11)`()
    async throws
  {
    let folder = try Folder()
    let store = folder.store()
    try Self.set("a", in: store)
    let lock = open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    for name in ["b", "c"] {
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
      try Self.set(name, in: store)
      #expect(!Self.names(folder.store()).contains(name))
      #expect(flock(lock, LOCK_UN) == 0)
      try await eventually { Self.names(folder.store()).contains(name) }
    }
    withExtendedLifetime(store) {}
  }

  @Test func `a line that a full disk cut swallows no other`() throws {
    let folder = try Folder()
    let (one, other) = (folder.store(), folder.store())
    try Self.set("a", in: one)
    try Self.set("b", in: one)
    #expect(truncate(folder.file.path, try Data(contentsOf: folder.file).count - 7) == 0)
    try Self.set("c", in: other)
    #expect(Self.names(other).sorted() == ["a", "c"] && Self.names(folder.store()).sorted() == ["a", "c"])
  }

  @Test func `whoever removes the file removes the cookies of all`() throws {
    let folder = try Folder()
    let store = folder.store()
    try Self.set("a", in: store)
    try Self.set("session", in: store, "; Path=/")
    try FileManager.default.removeItem(at: folder.file)
    #expect(Self.names(store) == ["session"])
  }

  @Test func `a file of a later version is neither read nor changed`() throws {
    let folder = try Folder()
    let content = Data((CookieLog.header(version: 2) + "whatever\n").utf8)
    try content.write(to: folder.file)
    let store = folder.store()
    try Self.set("a", in: store)
    #expect(Self.names(store) == ["a"] && Self.names(folder.store()) == [])
    #expect(try Data(contentsOf: folder.file) == content && folder.names == ["jar"])
  }

  @Test(arguments: ["", "garbage", "{ a = { Name = b; }; }", "bplist00", "<plist version=\"1.0\"><array/></plist>"])
  func `what is no file of cookies is put aside as it is`(text: String) throws {
    let folder = try Folder()
    try Data(text.utf8).write(to: folder.file)
    let store = folder.store()
    try Self.set("a", in: store)
    #expect(folder.names == ["jar", "jar.damaged"] && Self.names(folder.store()) == ["a"])
    #expect(try Data(contentsOf: folder.url.appending(path: "jar.damaged")) == Data(text.utf8))
  }

  @Test func `a folder, a FIFO and a link to a device are put aside, and nobody waits for them`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
    #expect(folder.store().cookies == [])
    #expect(mkfifo(folder.file.path, 0o600) == 0)
    #expect(folder.store().cookies == [])
    #expect(symlink("/dev/zero", folder.file.path) == 0)
    #expect(folder.store().cookies == [])
    #expect(folder.names == Set(["", "-2", "-3"].map { "jar.damaged" + $0 }))
  }

  @Test func `a file of 1 GB is put aside unread, and no more than three are kept`() throws {
    let folder = try Folder()
    try Self.set("a", in: folder.store())
    #expect(truncate(folder.file.path, 1 << 30) == 0)
    #expect(folder.store().cookies == [] && folder.names == ["jar.damaged"])
    for number in 1...5 {
      try Data("\(number)".utf8).write(to: folder.file)
      #expect(folder.store().cookies == [])
    }
    #expect(folder.names == Set(["", "-2", "-3"].map { "jar.damaged" + $0 }))
  }

  @Test func `a link is read, and a change takes its place`() throws {
    let (folder, other) = (try Folder(), try Folder())
    try Self.set("a", in: other.store())
    let content = try Data(contentsOf: other.file)
    #expect(symlink(other.file.path, folder.file.path) == 0)
    let store = folder.store()
    try Self.set("b", in: store)
    #expect(Self.names(folder.store()).sorted() == ["a", "b"])
    #expect(try Data(contentsOf: other.file) == content && folder.names == ["jar"])
  }

  /// A list as the toolchain wrote it for 0.1.0, with each kind of value that it writes.
  private static var earlier: NSDictionary {
    [
      ".x.test/a": [
        "Name": "a", "Value": "<&>\u{E4}", "Path": "/", "Domain": ".x.test", "Expires": 1_900_000_000.25,
        "Secure": true, "Version": 1, "Comment": "workbench 1 secure", "Port": [80, 443],
      ],
      "y.test/b": [
        "Name": "b", "Value": "", "Path": "/", "Domain": "y.test", "Expires": 1_900_000_000.0, "Secure": false,
      ],
      "y.test/c": ["Name": "c", "Value": ""],
    ]
  }

  @Test func `the list of before is read, and becomes a file of today with the first change`() throws {
    let folder = try Folder()
    #expect(Self.earlier.write(toFile: folder.file.path, atomically: true))
    let store = folder.store()
    #expect(Self.names(store).sorted() == ["a", "b"])
    let first = try #require(store.cookies.first { $0.name == "a" })
    #expect(first.isSecure && first.domain == ".x.test" && first.value == "<&>\u{E4}")
    try Self.set("new", in: store)
    #expect(Self.names(folder.store()).sorted() == ["a", "b", "new"] && folder.names == ["jar"])
    #expect(try Data(contentsOf: folder.file).starts(with: CookieLog.header.utf8))
  }

  /// Seconds of processor time of this thread.
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `setting cookies is linear`() throws {
    func seconds(_ count: Int) throws -> Double {
      let folder = try Folder()
      let store = folder.store()
      let clock = Self.threadTime
      for number in 0..<count {
        let cookie = try #require(
          HTTPCookie(properties: [
            .name: "a", .value: "1", .path: "/", .domain: "h\(number).test", .expires: Date(timeIntervalSince1970: 2e9),
          ]))
        #expect(store.set(cookie))
      }
      #expect(folder.names == ["jar"])
      return Self.threadTime - clock
    }
    _ = try seconds(100)
    // The least of several, by turns: what else runs on the machine makes a time longer, never shorter.
    var (half, whole) = (Double.infinity, Double.infinity)
    for turn in 0..<12 where turn < 4 || whole > 2.6 * half {
      half = min(half, try seconds(1000))
      whole = min(whole, try seconds(2000))
    }
    #expect(whole <= 2.6 * half)
  }
}
