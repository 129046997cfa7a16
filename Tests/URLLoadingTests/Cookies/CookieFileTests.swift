// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// CK-11: the file of the shared store, before the toolchain reads it.
@Suite struct CookieFileTests {
  /// A list as the toolchain writes it, with each kind of value that it writes.
  private static var list: NSDictionary {
    [
      ".x.test/a": [
        "Name": "a", "Value": "<&>\u{E4}\n", "Path": "/", "Domain": ".x.test", "Expires": 1_900_000_000.25,
        "Secure": true, "Version": 1, "Comment": "workbench 1 secure", "Port": [80, 443],
      ],
      "y.test/b": [
        "Name": "b", "Value": "", "Path": "/", "Domain": "y.test", "Expires": 1_900_000_000.0, "Secure": false,
      ],
    ]
  }

  private final class Folder {
    private let directory: TestDirectory
    var url: URL { directory.url }
    var file: URL { url.appending(path: ".cookies.shared") }
    var names: Set<String> { Set(directory.files) }

    init() throws { directory = try TestDirectory() }
  }

  private static func written() throws -> [UInt8] {
    let folder = try Folder()
    #expect(list.write(toFile: folder.file.path, atomically: true))
    return Array(try Data(contentsOf: folder.file))
  }

  @Test func `what the toolchain writes is a store, and stays where it is`() throws {
    let folder = try Folder()
    for list in [Self.list, NSDictionary()] {
      #expect(list.write(toFile: folder.file.path, atomically: true))
      CookieFile.check(folder.file)
      #expect(folder.names == [".cookies.shared"])
    }
  }

  @Test func `cut at any byte it is none; changed at any byte it is a store or none`() throws {
    let whole = try Self.written()
    let end = try #require(whole.lastIndex(of: UInt8(ascii: ">")))
    for count in 0...end { #expect(!CookieFile.isStore(Array(whole[..<count])), "\(count)") }
    for place in whole.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var changed = whole
        changed[place] ^= change
        // A store must be one that the toolchain can read.
        guard CookieFile.isStore(changed) else { continue }
        let read = try? PropertyListSerialization.propertyList(from: Data(changed), format: nil)
        #expect(read is [String: [String: Any]], "\(place) ^ \(change)")
      }
    }
  }

  @Test(arguments: [
    "", "<plist version=\"1.0\"><array/></plist>", "<plist version=\"1.0\"><dict><key>a</key><string/></dict></plist>",
    "{ a = { Name = b; }; }", "bplist00",
  ])
  func `what is no list of lists is put aside as it is`(text: String) throws {
    let folder = try Folder()
    try Data(text.utf8).write(to: folder.file)
    CookieFile.check(folder.file)
    #expect(folder.names == [".cookies.shared.damaged"])
    #expect(try Data(contentsOf: folder.url.appending(path: ".cookies.shared.damaged")) == Data(text.utf8))
  }

  @Test func `so is a file of 1 GB, unread`() throws {
    let folder = try Folder()
    let good = try Self.written()
    try Data(good).write(to: folder.file)
    #expect(truncate(folder.file.path, 1 << 30) == 0)
    CookieFile.check(folder.file)
    let aside = folder.url.appending(path: ".cookies.shared.damaged")
    #expect(folder.names == [aside.lastPathComponent])
    #expect(try FileManager.default.attributesOfItem(atPath: aside.path)[.size] as? Int == 1 << 30)
  }

  @Test func `a folder, a FIFO and a link to a device are put aside, and nobody waits for them`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
    CookieFile.check(folder.file)
    #expect(mkfifo(folder.file.path, 0o600) == 0)
    CookieFile.check(folder.file)
    #expect(symlink("/dev/zero", folder.file.path) == 0)
    CookieFile.check(folder.file)
    #expect(folder.names == Set(["", "-2", "-3"].map { ".cookies.shared.damaged" + $0 }))
  }

  @Test func `a link to a store is used; where it leads to something else the link goes, and that stays`() throws {
    let (folder, other) = (try Folder(), try Folder())
    try Data(try Self.written()).write(to: other.file)
    #expect(symlink(other.file.path, folder.file.path) == 0)
    CookieFile.check(folder.file)
    #expect(folder.names == [".cookies.shared"])
    try Data("x".utf8).write(to: other.file)
    CookieFile.check(folder.file)
    #expect(folder.names == [".cookies.shared.damaged"])
    #expect(try Data(contentsOf: other.file) == Data("x".utf8))
    #expect(symlink("nowhere", folder.file.path) == 0)
    CookieFile.check(folder.file)
    #expect(folder.names == [".cookies.shared", ".cookies.shared.damaged"])
  }

  @Test func `what a killed writer left goes`() throws {
    let folder = try Folder()
    // The number of no process: one more than any the kernel gives (proc(5), pid_max).
    let leftover = folder.url.appending(path: ".dat.nosync400001.aB3xyz")
    try Data().write(to: leftover)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: leftover.path)
    CookieFile.check(folder.file)
    #expect(folder.names.isEmpty)
  }

  @Test func `no more than three files are kept aside, and a missing one is nothing`() throws {
    let folder = try Folder()
    CookieFile.check(folder.file)
    #expect(folder.names.isEmpty)
    for number in 1...5 {
      try Data("\(number)".utf8).write(to: folder.file)
      CookieFile.check(folder.file)
    }
    #expect(folder.names == Set(["", "-2", "-3"].map { ".cookies.shared.damaged" + $0 }))
    #expect(try Data(contentsOf: folder.url.appending(path: ".cookies.shared.damaged")) == Data("1".utf8))
  }
}
