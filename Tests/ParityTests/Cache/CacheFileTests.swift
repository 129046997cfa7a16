// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The cache's files, whatever becomes of them: CA-05 to CA-08 on both APIs. In processes of their own, because the shared
/// cache is one for each; so not under a sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct CacheFileTests {
  /// A folder that goes with the test, for the shared cache of its child processes.
  private final class Home: Sendable {
    private let directory: TestDirectory
    var url: URL { directory.url }

    init() throws { directory = try TestDirectory() }

    var files: [URL] {
      (FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isRegularFileKey]) ?? .init())
        .compactMap { $0 as? URL }
        .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
    }
  }

  private static let faces = [Face.connection, .asynchronous, .dataTask, .handlerTask]

  /// Makes the server's answer under a path: always the same, and cacheable.
  fileprivate static func body(of path: String) -> [UInt8] {
    Array("the body of \(path.prefix(50)), \(path.count) long. ".utf8) + Array(repeating: 46, count: 3000)
  }

  private static func running() throws -> LessonServer {
    let server = LessonServer(routes: [
      Route("/*") { request in
        let fields = [HeaderField("Cache-Control", "max-age=3600"), HeaderField("Content-Type", "text/plain")]
        return .response(Response(fields: fields, body: .bytes(body(of: request.head.target))))
      }
    ])
    try server.start()
    return server
  }

  /// In a child process: loads these paths, one after the other, with what is stored whatever its age.
  fileprivate static func load(_ paths: [String], on face: Face, port: Int) async throws {
    let client = Client(face) { $0.urlCache = .shared }
    for path in paths {
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
      request.cachePolicy = .returnCacheDataElseLoad
      let facts = await client.load(request)
      #expect(facts.error == nil && facts.status == 200, "\(path.prefix(50))")
      #expect(facts.body == body(of: path), "\(path.prefix(50))")
    }
    await client.close()
  }

  /// Loads in a child process.
  private func visit(_ face: Face, _ server: LessonServer, _ home: Home, _ path: String = "/x") async {
    let (port, folder) = (Int(server.port), home.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, path = path as String, port = port as Int, folder = folder as String] in
      setenv("XDG_CACHE_HOME", folder, 1)
      try await CacheFileTests.load([path, path], on: face, port: port)
    }
  }

  @Test(arguments: faces)
  func `a file that is cut or changed is no hit, and never a wrong body (CA-05)`(face: Face) async throws {
    let server = try Self.running()
    let damages: [@Sendable (Data) -> Data] = [
      { $0 }, { _ in Data() }, { $0.prefix(1) }, { $0.prefix($0.count / 2) }, { $0.dropLast() },
      { Data(SeededBody(seed: 7).bytes(0..<Int64($0.count))) },
      { data in
        var changed = data
        if let place = data.range(of: Data("the body of".utf8)) { changed[place.lowerBound] ^= 1 }
        return changed
      },
    ]
    for (number, damage) in damages.enumerated() {
      let home = try Home()
      let before = server.log.counts.begun
      await visit(face, server, home)
      #expect(server.log.counts.begun == before + 1)
      let files = home.files
      #expect(!files.isEmpty)
      for file in files { try damage(Data(contentsOf: file)).write(to: file) }
      await visit(face, server, home)
      #expect(server.log.counts.begun == before + (number == 0 ? 1 : 2), "damage \(number)")
    }
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `nobody else may read what is stored, and a copy of the folder is as good (CA-05)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    await visit(face, server, home)
    #expect(!home.files.isEmpty)
    for file in home.files {
      let folder = file.deletingLastPathComponent()
      for (url, mode) in [(file, 0o600), (folder, 0o700)] {
        #expect(FileManager.default.mode(of: url.path) == mode)
      }
      try Data(contentsOf: file).write(to: file, options: .atomic)
    }
    await visit(face, server, home)
    #expect(server.log.counts.begun == 1)
  }

  @Test(arguments: faces)
  func `where nothing can be written, requests succeed all the same (CA-06)`(face: Face) async throws {
    let server = try Self.running()
    let (home, port) = (try Home(), Int(server.port))
    let folder = home.url.path
    await #expect(processExitsWith: .success) {
      [face = face as Face, port = port as Int, folder = folder as String] in
      setenv("XDG_CACHE_HOME", folder, 1)
      // Each write to a file fails with EFBIG from now on. The signal that comes with it, SIGXFSZ, must end nothing.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try await CacheFileTests.load(["/x", "/y", "/x"], on: face, port: port)
    }
    // A file in place of the folder.
    try FileManager.default.removeItem(at: home.url)
    try Data().write(to: home.url)
    await visit(face, server, home)
  }

  @Test(arguments: faces)
  func `where the folder is removed memory serves on, and the next response makes it anew (CA-14)`(face: Face)
    async throws
  {
    let server = try Self.running()
    let home = try Home()
    let (port, folder) = (Int(server.port), home.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, port = port as Int, folder = folder as String] in
      setenv("XDG_CACHE_HOME", folder, 1)
      for path in ["/y", "/z"] {
        try await CacheFileTests.load(["/x", path, path], on: face, port: port)
        // What lies on the disk is written when its size is asked for.
        #expect(URLCache.shared.currentDiskUsage > 0)
        try FileManager.default.removeItem(atPath: folder)
        try await CacheFileTests.load(["/x", path, "/x"], on: face, port: port)
        #expect(URLCache.shared.currentDiskUsage == 0 && URLCache.shared.currentMemoryUsage > 6000)
      }
      try await CacheFileTests.load(["/new"], on: face, port: port)
      #expect(URLCache.shared.currentDiskUsage > 0)
    }
    #expect(server.log.counts.begun == 4, "each path once")
    await visit(face, server, home, "/new")
    #expect(server.log.counts.begun == 4, "the folder is as good as before")
  }

  @Test(arguments: faces)
  func `whatever the path, its file lies in the folder, and the body is its own (CA-07)`(face: Face) async throws {
    let server = try Self.running()
    let home = try Home()
    let inner = home.url.appending(path: "a/b/c")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let long = "/" + String(repeating: "x", count: 5000)
    let (port, folder) = (Int(server.port), inner.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, long = long as String, port = port as Int, folder = folder as String] in
      setenv("XDG_CACHE_HOME", folder, 1)
      let paths = [
        "/%2e%2e%2f%2e%2e%2fup", "/..%2f..%2fup", long, long + "y", "/a%00b", "/a", "/a?x", "/a?y", "/a%3Fx",
      ]
      try await CacheFileTests.load(paths + paths, on: face, port: port)
    }
    #expect(home.files.allSatisfy { $0.path.hasPrefix(inner.path + "/") })
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `two processes and eight threads, and everything removed meanwhile: each body is its own (CA-08)`(face: Face)
    async throws
  {
    let server = try Self.running()
    let home = try Home()
    async let one: Void = crowd(face, server, home)
    async let other: Void = crowd(face, server, home)
    _ = await (one, other)
  }

  private func crowd(_ face: Face, _ server: LessonServer, _ home: Home) async {
    let (port, folder) = (Int(server.port), home.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, port = port as Int, folder = folder as String] in
      setenv("XDG_CACHE_HOME", folder, 1)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            for _ in 0..<5 {
              let paths = (0..<4).map { "/\(($0 + number) % 4)" }
              try await CacheFileTests.load(paths, on: face, port: port)
              if number == 0 { URLCache.shared.removeAllCachedResponses() }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
