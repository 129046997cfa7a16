// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// CK-15: where a program's cookies lie.
@Suite struct CookiePlaceTests {
  @Test func `a program is called by its bundle's identifier`() {
    #expect(CookiePlace.name(identifier: "org.example.App-1", executable: "/bin/tool") == "org.example.App-1")
  }

  @Test(arguments: [nil, "", "shared", "a/../b.c", "a b.c", String(repeating: "a.", count: 60)])
  func `without a usable identifier it is called by its executable and where that lies`(identifier: String?) {
    let name = CookiePlace.name(identifier: identifier, executable: "/home/me/bin/tool")
    // SHA-256 of the path, as sha256sum(1) says it.
    #expect(name == "tool-d059c794a460c43d")
  }

  @Test func `executables of one name in two folders are two programs`() {
    let names = ["/a/tool", "/b/tool"].map { CookiePlace.name(identifier: nil, executable: $0) }
    #expect(names[0] != names[1])
    #expect(names.allSatisfy { $0.hasPrefix("tool-") })
  }

  @Test(arguments: ["/a/b c\u{E9}\n", "/", "", "/" + String(repeating: "x", count: 255)])
  func `any executable has a name that can be a file's`(executable: String) {
    let name = CookiePlace.name(identifier: nil, executable: executable)
    #expect(name.utf8.count <= 117 && !name.isEmpty)
    #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
  }

  @Test func `two processes that begin at once leave one file`() async throws {
    let folder = try TestDirectory()
    let place = CookiePlace(folder: folder.url, program: "tool")
    place.makeFolders()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { EarlierCookies.takeOver(at: place) } }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.ownFolder.path) == ["jar"])
    var log = CookieLog(place.file)
    let news = log.news()
    #expect(news?.isWhole == true && news?.records == [])
  }
}
