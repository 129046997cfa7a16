// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// CK-11: the file of the shared store of cookies, whatever became of it. In processes of their own, because each reads it
/// once; so not under a sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct CookieStoreTests {
  /// The home of child processes, with the folder in which their shared store lies.
  private final class Home: Sendable {
    private let directory: TestDirectory
    var url: URL { directory.url }
    /// The toolchain names the folder after the one that holds the executable.
    var toolchains: URL { url.appending(path: Bundle.main.bundleURL.lastPathComponent) }
    /// The file of the toolchain's own store.
    var legacy: URL { toolchains.appending(path: ".cookies.shared") }
    /// The child is the same program, which names its folder in the same way.
    var folder: URL {
      toolchains.appending(path: CookiePlace.current?.ownFolder.lastPathComponent ?? "")
    }
    var file: URL { folder.appending(path: "jar") }
    var aside: URL { folder.appending(path: "jar.damaged") }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    init() throws {
      directory = try TestDirectory()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func mode(_ url: URL) -> Int? { FileManager.default.mode(of: url.path) }
  }

  private static func running() throws -> LessonServer {
    let server = LessonServer(routes: [
      Route("/set/*") { request in
        let name = request.head.target.split(separator: "/").last ?? ""
        let cookie = HeaderField("Set-Cookie", "\(name)=1; Path=/; Max-Age=3600")
        return .response(Response(fields: [cookie]))
      },
      Route("/ok", script: .response(.text("ok"))),
    ])
    try server.start()
    return server
  }

  /// In a child process: loads these, one after the other, with the shared store.
  fileprivate static func load(_ urls: [String], on face: Face, home: String) async throws {
    setenv("XDG_DATA_HOME", home, 1)
    let client = Client(face) { $0.httpCookieStorage = URLSessionConfiguration.default.httpCookieStorage }
    for url in urls {
      let facts = await client.load(URLRequest(url: try #require(URL(string: url))))
      #expect(facts.error == nil)
    }
    await client.close()
  }

  private func visit(_ face: Face, _ server: LessonServer, _ home: Home, _ paths: [String]) async {
    let (urls, path) = (paths.map { server.url($0) }, home.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, urls = urls as [String], path = path as String] in
      try await CookieStoreTests.load(urls, on: face, home: path)
      // Bytes of the largest file that may be read, and what else a process needs.
      #expect(ProcessUsage.peak < 256 << 20)
    }
  }

  /// Files that are no store of cookies, or none any more, and what is kept of them; nil for what is no file.
  private static let broken: [(name: String, content: [UInt8]?, isKept: Bool)] = [
    ("empty", [], true), ("garbage", SeededBody(seed: 9).bytes(0..<4096), true), ("a folder", nil, true),
    ("cut", Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a".utf8), true),
    (
      "another kind of list",
      Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><array><string>a</string></array></plist>".utf8), true
    ),
    (
      "foreign entries",
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>a</key><dict><key>Name</key><integer>1</integer>
        </dict><key>b</key><dict/></dict></plist>
        """.utf8), false
    ),
    // A set, which ends the process that reads it as a dictionary's value (faults 0.2).
    (
      "a version that ends the toolchain's reader",
      Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xC1, 1, 8, 11, 13]
        + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 15],
      true
    ),
  ]

  @Test(arguments: [Face.connection, .dataTask], broken.indices)
  func `a store that cannot be read is an empty one, and what it was is kept (CK-11)`(face: Face, index: Int)
    async throws
  {
    let (server, home, broken) = (try Self.running(), try Home(), Self.broken[index])
    if let content = broken.content {
      try Data(content).write(to: home.file)
    } else {
      try FileManager.default.createDirectory(at: home.file, withIntermediateDirectories: true)
    }
    await visit(face, server, home, ["/ok", "/set/a", "/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == [nil, nil, "a=1"], "\(broken.name)")
    // The new cookie lies there now, and a later process sends it.
    await visit(face, server, home, ["/ok"])
    #expect(server.log.snapshot().requests.last?["Cookie"] == "a=1", "\(broken.name)")
    #expect(home.names.count == (broken.isKept ? 2 : 1), "\(broken.name)")
    if let content = broken.content, broken.isKept { #expect(try Data(contentsOf: home.aside) == Data(content)) }
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `nobody else may read the store, nor one of before once it was opened (CK-11)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    try FileManager.default.removeItem(at: home.toolchains)
    await visit(face, server, home, ["/set/a"])
    for url in [home.toolchains, home.folder] { #expect(home.mode(url) == 0o700) }
    #expect(home.mode(home.file) == 0o600)
    for url in [home.toolchains, home.folder, home.file] {
      let isFile = url == home.file
      try FileManager.default.setAttributes([.posixPermissions: isFile ? 0o644 : 0o755], ofItemAtPath: url.path)
    }
    await visit(face, server, home, ["/ok"])
    for url in [home.toolchains, home.folder] { #expect(home.mode(url) == 0o700) }
    #expect(home.mode(home.file) == 0o600)
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `a folder that others use too stays as it is, and the store within is closed (CK-15)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    try FileManager.default.removeItem(at: home.folder)
    try Data().write(to: home.toolchains.appending(path: "a.desktop"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.toolchains.path)
    await visit(face, server, home, ["/set/a"])
    #expect(home.mode(home.toolchains) == 0o755)
    #expect(home.mode(home.folder) == 0o700)
    #expect(home.mode(home.file) == 0o600)
  }

  /// A list as the toolchain writes it for a cookie of 127.0.0.1.
  private static func list(_ name: String) -> NSDictionary {
    [
      "127.0.0.1/\(name)": [
        "Name": name, "Value": "1", "Path": "/", "Domain": "127.0.0.1", "Version": 1,
        "Expires": Date(timeIntervalSinceNow: 3600).timeIntervalSince1970,
      ]
    ]
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `cookies of the toolchain's store are taken over once (CK-15)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    try FileManager.default.removeItem(at: home.folder)
    #expect(Self.list("a").write(toFile: home.legacy.path, atomically: true))
    await visit(face, server, home, ["/ok"])
    #expect(home.mode(home.file) == 0o600)
    #expect(Self.list("b").write(toFile: home.legacy.path, atomically: true))
    await visit(face, server, home, ["/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == ["a=1", "a=1"])
    // Nor after the own file was lost.
    try Data("x".utf8).write(to: home.file)
    await visit(face, server, home, ["/ok"])
    await visit(face, server, home, ["/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == ["a=1", "a=1", nil, nil])
    // Without one of before, one that comes later is not taken either.
    let other = try Home()
    await visit(face, server, other, ["/ok"])
    #expect(Self.list("a").write(toFile: other.legacy.path, atomically: true))
    await visit(face, server, other, ["/ok"])
    #expect(server.log.snapshot().requests.suffix(2).map { $0["Cookie"] } == [nil, nil])
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `a store of the toolchain's that cannot be read stays as it is, and nothing is taken over (CK-15)`(face: Face)
    async throws
  {
    let (server, home) = (try Self.running(), try Home())
    try FileManager.default.removeItem(at: home.folder)
    try Data("x".utf8).write(to: home.legacy)
    await visit(face, server, home, ["/ok", "/set/a", "/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == [nil, nil, "a=1"])
    #expect(home.names == ["jar"])
    #expect(try Data(contentsOf: home.legacy) == Data("x".utf8))
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `the shared store that a program uses itself is the program's own (CK-15)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    try FileManager.default.removeItem(at: home.toolchains)
    let (url, path) = (server.url("/ok"), home.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, url = url as String, path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let cookie = try #require(
        HTTPCookie(properties: [
          .name: "a", .value: "1", .domain: "127.0.0.1", .path: "/", .expires: Date(timeIntervalSinceNow: 3600),
        ]))
      HTTPCookieStorage.shared.setCookie(cookie)
      try await CookieStoreTests.load([url], on: face, home: path)
      #expect(URLSessionConfiguration.default.httpCookieStorage === HTTPCookieStorage.shared)
    }
    await visit(face, server, home, ["/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == ["a=1", "a=1"])
    for url in [home.toolchains, home.folder] { #expect(home.mode(url) == 0o700) }
    #expect(!FileManager.default.fileExists(atPath: home.legacy.path))
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `a store of 1 GB is put aside unread (CK-11)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    await visit(face, server, home, ["/set/a"])
    #expect(truncate(home.file.path, 1 << 30) == 0)
    await visit(face, server, home, ["/ok", "/set/b", "/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == [nil, nil, nil, "b=1"])
    #expect(try FileManager.default.attributesOfItem(atPath: home.aside.path)[.size] as? Int == 1 << 30)
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `a link to a store is read, and what it leads to is never written (CK-11)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    await visit(face, server, home, ["/set/a"])
    let target = home.url.appending(path: "target")
    try FileManager.default.moveItem(at: home.file, to: target)
    let content = try Data(contentsOf: target)
    #expect(symlink(target.path, home.file.path) == 0)
    await visit(face, server, home, ["/ok", "/set/b", "/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == [nil, "a=1", "a=1", "a=1; b=1"])
    #expect(try Data(contentsOf: target) == content)
    #expect(home.names == ["jar"])
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `of two processes that store at the same time none loses a cookie (CK-11)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    async let one: Void = visit(face, server, home, (0..<20).map { "/set/a\($0)" })
    async let other: Void = visit(face, server, home, (0..<20).map { "/set/b\($0)" })
    _ = await (one, other)
    await visit(face, server, home, ["/ok"])
    let field = try #require(server.log.snapshot().requests(for: "/ok").first?["Cookie"])
    let names = Set(field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) })
    #expect(names == Set(["a", "b"].flatMap { letter in (0..<20).map { "\(letter)\($0)=1" } }))
    #expect(home.names == ["jar"])
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `where nothing can be written, cookies live as long as the process (CK-11)`(face: Face) async throws {
    let (server, home) = (try Self.running(), try Home())
    await visit(face, server, home, ["/set/a"])
    let (urls, path) = (["/set/b", "/ok"].map { server.url($0) }, home.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, urls = urls as [String], path = path as String] in
      // Each write to a file fails with EFBIG from now on. The signal that comes with it, SIGXFSZ, must end nothing.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try await CookieStoreTests.load(urls, on: face, home: path)
    }
    await visit(face, server, home, ["/ok"])
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == [nil, "a=1", "a=1; b=1", "a=1"])
    #expect(home.names == ["jar"])
  }

  /// Each call that changes the store's folder is held by the kernel (HeldCalls); see CacheKillTests.
  @Test(.enabled(if: HeldCalls.arePossible), arguments: [Face.connection, .dataTask])
  func `killed at any call of a store, the next process has the old cookies or the new ones (CK-11)`(face: Face)
    async throws
  {
    let (server, home) = (try Self.running(), try Home())
    let (path, folder, url) = (home.url.path, home.folder.path, server.url("/set/b"))
    let done = home.url.appending(path: "done").path
    for call in 0..<100 where !FileManager.default.fileExists(atPath: done) {
      try? FileManager.default.removeItem(at: home.file)
      await visit(face, server, home, ["/set/a"])
      await #expect(processExitsWith: .signal(SIGKILL), "call \(call)") {
        [
          face = face as Face, path = path as String, folder = folder as String, url = url as String,
          done = done as String, call = call as Int,
        ] in
        try HeldCalls.begin(in: folder, number: call, .kill)
        try await CookieStoreTests.load([url], on: face, home: path)
        try Data().write(to: URL(fileURLWithPath: done))
        kill(getpid(), SIGKILL)
      }
      // A minute later, as the next process sees it.
      for name in home.names {
        let changed = Date(timeIntervalSinceNow: -120)
        let file = home.folder.appending(path: name).path
        try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: file)
      }
      await visit(face, server, home, ["/ok"])
      let field = server.log.snapshot().requests.last?["Cookie"]
      #expect(["a=1", "a=1; b=1"].contains(field), "call \(call)")
      #expect(home.names == ["jar"], "call \(call)")
    }
    #expect(FileManager.default.fileExists(atPath: done))
  }
}
