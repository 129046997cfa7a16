// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import FoundationNetworking
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// Whether files can hold a digest here.
private let hasAttributes: Bool = {
  let file = FileManager.default.temporaryDirectory.appending(path: "CacheDamageTests-\(UUID().uuidString)").path
  let descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
  defer {
    close(descriptor)
    unlink(file)
  }
  return fsetxattr(descriptor, "user.workbench.test", "a", 1, 0) == 0
}()

/// CA-05 with every byte of a stored entry. In a process of its own, which damage must not end; so not under a sanitizer,
/// which measures itself in every process that ends. Not where files have no attributes to hold a digest.
@Suite(.enabled(if: !TestMachine.isSanitized && hasAttributes)) struct CacheDamageTests {
  private static let body = Data("the body".utf8)

  private static func found(_ url: URL, in folder: URL) async -> CacheStore.Found? {
    // Nothing in memory: each look reads the file.
    let cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: folder.path)
    return await withCheckedContinuation { done in CacheStore.over(cache).find(url) { done.resume(returning: $0) } }
  }

  private static func store(_ url: URL, in folder: URL) async throws -> URL {
    let cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: folder.path)
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=3600"]))
    let record = CacheRecord(requested: 1, received: 2, selectors: ["accept": 7], digest: 0)
    await withCheckedContinuation { done in
      CacheStore.over(cache).keep(CachedURLResponse(response: response, data: body), record, for: url) { done.resume() }
    }
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count == 1)
    return try #require(files.first)
  }

  /// In its place, and without waiting for the disk.
  private static func overwrite(_ file: URL, _ bytes: Data) throws {
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  @Test func `CA-05: an entry cut or changed at any byte is no hit, and never ends the process`() async throws {
    let directory = try TestDirectory()
    let path = directory.url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let folder = URL(fileURLWithPath: path)
      let url = try #require(URL(string: "http://x.test/a"))
      let file = try await CacheDamageTests.store(url, in: folder)
      let whole = try Data(contentsOf: file)
      #expect(await CacheDamageTests.found(url, in: folder) != nil)
      let files = try #require(CacheFiles(URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: path)))
      func damage(_ bytes: Data) async throws -> CacheStore.Found? {
        // Sealed as a whole, then changed in its place: what was damaged before was removed.
        try CacheDamageTests.overwrite(file, whole)
        files.seal(url)
        try CacheDamageTests.overwrite(file, bytes)
        return await CacheDamageTests.found(url, in: folder)
      }
      #expect(try await damage(whole) != nil)
      for place in whole.indices {
        #expect(try await damage(whole[..<place]) == nil, "cut at \(place)")
        for change: UInt8 in [1, 0x80, 0xFF] {
          var changed = whole
          changed[place] ^= change
          #expect(try await damage(changed) == nil, "\(place) ^ \(change)")
        }
      }
    }
    #expect(directory.files.count <= 1)
  }
}
