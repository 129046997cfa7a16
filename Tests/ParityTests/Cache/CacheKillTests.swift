// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// CA-06 at each system call by which the cache's folder is changed while a response replaces another: the process is
/// killed there, or the call fails, on both APIs. The calls are held by the kernel (HeldCalls), whoever makes them. Not
/// where it cannot do that, nor under a sanitizer, which measures itself in every process that ends.
///
/// The cases that are not covered: a kill within one call, where a file has got a part of what is written, and a power cut. The
/// first leaves what a kill before the call leaves, a file without its name, only longer.
@Suite(.exitTests, .enabled(if: HeldCalls.arePossible && !TestMachine.isSanitized)) struct CacheKillTests {
  /// A server whose answers change, and a folder for the shared caches of child processes.
  private final class Place: Sendable {
    private let directory: TestDirectory
    let server: LessonServer

    var folder: URL { directory.url }

    init() throws {
      directory = try TestDirectory()
      let version = Locked(0)
      server = LessonServer(routes: [
        Route("/x") { _ in
          let number = version.withLock {
            $0 += 1
            return $0
          }
          let fields = [HeaderField("Cache-Control", "max-age=3600"), HeaderField("Content-Type", "text/plain")]
          return .response(Response(fields: fields, body: .bytes(CacheKillTests.body(number))))
        }
      ])
      try server.start()
    }

    /// The names of all files below the folder.
    var files: [String] {
      (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey]) ?? .init())
        .compactMap { $0 as? URL }
        .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
        .map(\.lastPathComponent)
    }
  }

  fileprivate static func body(_ number: Int) -> [UInt8] {
    Array("body \(number) ".utf8) + Array(repeating: UInt8(truncatingIfNeeded: number), count: 3000)
  }

  /// In a child process: loads from the server or the cache, and answers the number of the body, which is whole.
  fileprivate static func load(
    _ face: Face, _ port: Int, _ folder: String, _ policy: NSURLRequest.CachePolicy
  ) async throws -> Int {
    setenv("XDG_CACHE_HOME", folder, 1)
    let client = Client(face) { $0.urlCache = .shared }
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/x")))
    request.cachePolicy = policy
    let facts = await client.load(request)
    #expect(facts.error == nil && facts.status == 200)
    let words = String(decoding: facts.body.prefix(20), as: UTF8.self).split(separator: " ")
    let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
    #expect(facts.body == body(number))
    await client.close()
    return number
  }

  /// In a child process: replaces what is stored. Asked for its size, the cache writes what waits for the disk.
  fileprivate static func replace(_ face: Face, _ port: Int, _ folder: String) async throws {
    _ = try await load(face, port, folder, .reloadIgnoringLocalCacheData)
    _ = URLCache.shared.currentDiskUsage
  }

  /// Stores what the server answers now, in a child process that ends in peace, right behind the load.
  private func store(_ face: Face, _ place: Place) async {
    let (port, folder) = (Int(place.server.port), place.folder.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, port = port as Int, folder = folder as String] in
      _ = try await CacheKillTests.load(face, port, folder, .reloadIgnoringLocalCacheData)
    }
  }

  /// Replaces what is stored in a child process that counts its calls; their number.
  private func countCalls(_ face: Face, _ place: Place) async throws -> Int {
    let (directory, port, folder) = (try TestDirectory(), Int(place.server.port), place.folder.path)
    let note = directory.url.appending(path: "count").path
    await #expect(processExitsWith: .success) {
      [face = face as Face, port = port as Int, folder = folder as String, note = note as String] in
      try HeldCalls.begin(in: folder)
      try await CacheKillTests.replace(face, port, folder)
      try Data("\(HeldCalls.count)".utf8).write(to: URL(fileURLWithPath: note))
    }
    let count = try Data(contentsOf: directory.url.appending(path: "count"))
    return try #require(Int(String(decoding: count, as: UTF8.self)))
  }

  /// Loads what is stored, or else anew, in a new process: one of these bodies, whole.
  private func expectOne(of numbers: ClosedRange<Int>, _ face: Face, _ place: Place) async {
    let (port, folder, least, most) = (
      Int(place.server.port), place.folder.path, numbers.lowerBound, numbers.upperBound
    )
    await #expect(processExitsWith: .success) {
      [face = face as Face, port = port as Int, folder = folder as String, least = least as Int, most = most as Int] in
      let number = try await CacheKillTests.load(face, port, folder, .returnCacheDataElseLoad)
      #expect((least...most).contains(number))
    }
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `killed at any call of a store, the next process reads the old body, the new one or none (CA-06)`(face: Face)
    async throws
  {
    let place = try Place()
    await store(face, place)
    let count = try await countCalls(face, place)
    // The new file is opened, written and renamed, and a line goes behind the index.
    #expect((5...30).contains(count))
    let (port, folder) = (Int(place.server.port), place.folder.path)
    var orphans = 0
    for call in 0..<count {
      await store(face, place)
      let before = place.server.log.counts.begun
      await #expect(processExitsWith: .signal(SIGKILL), "call \(call)") {
        [face = face as Face, port = port as Int, folder = folder as String, call = call as Int] in
        try HeldCalls.begin(in: folder, number: call, .kill)
        try await CacheKillTests.replace(face, port, folder)
      }
      orphans += place.files.count { $0.hasPrefix(".") }
      // A minute later, as the next process sees it.
      for file in place.files { age(place, file) }
      // The response that was stored before, the one that came now, or one that is loaded anew.
      await expectOne(of: before...(before + 2), face, place)
      // The next one that stores removes what nobody wants any more; the response and the index stay.
      await store(face, place)
      #expect(place.files.count == 2 && place.files.allSatisfy { !$0.hasPrefix(".") }, "call \(call)")
    }
    #expect(orphans >= 2)
  }

  private func age(_ place: Place, _ name: String) {
    let files = FileManager.default.enumerator(at: place.folder, includingPropertiesForKeys: nil) ?? .init()
    for case let file as URL in files where file.lastPathComponent == name {
      try? FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: file.path)
    }
  }

  @Test(arguments: [Face.connection, .dataTask], [true, false])
  func `whichever call of a store fails, the request succeeds (CA-06)`(face: Face, isFull: Bool) async throws {
    // A disk that is full stays so; one that fails does it once.
    let place = try Place()
    await store(face, place)
    let count = try await countCalls(face, place)
    let (port, folder) = (Int(place.server.port), place.folder.path)
    for call in 0..<count {
      await store(face, place)
      let before = place.server.log.counts.begun
      await #expect(processExitsWith: .success, "call \(call)") {
        [
          face = face as Face, port = port as Int, folder = folder as String, call = call as Int,
          isFull = isFull as Bool,
        ] in
        try HeldCalls.begin(in: folder, number: call, isFull ? .failAll(.ENOSPC) : .fail(.EIO))
        try await CacheKillTests.replace(face, port, folder)
        #expect(HeldCalls.count > call)
      }
      await expectOne(of: before...(before + 2), face, place)
    }
  }
}
