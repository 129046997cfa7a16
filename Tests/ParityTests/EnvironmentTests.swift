// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// What lies around a process and must change nothing: AU-10, AU-13, CK-08, CK-11. Each in a process of its own, and so not
/// under a sanitizer, which measures itself in every process that ends.
@Suite(.enabled(if: !TestMachine.isSanitized)) struct EnvironmentTests {
  private static func load(_ url: String, on face: Face, _ change: (inout URLRequest) -> Void = { _ in }) async throws
    -> Observation.Facts
  {
    var request = URLRequest(url: try #require(URL(string: url)))
    change(&request)
    let client = Client(face)
    let observation = client.start(request)
    #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
    await client.close()
    return observation.facts
  }

  @Test(arguments: Face.allCases)
  func `AU-13: proxies of the environment, a netrc and a curlrc are ignored`(face: Face) async throws {
    let server = LessonServer(routes: Route.standard)
    try server.start()
    let (home, closed) = (try TestDirectory(), ClosedPort())
    let login = "machine 127.0.0.1 login lesson password secret\n"
    try Data(login.utf8).write(to: home.url.appending(path: ".netrc"))
    try Data("user = \"lesson:secret\"\nproxy = \"\(closed.url)\"\nnetrc\n".utf8)
      .write(to: home.url.appending(path: ".curlrc"))
    let (folder, proxy, url) = (home.url.path, closed.url, server.url("/basic"))
    await #expect(processExitsWith: .success) {
      [face = face as Face, folder = folder as String, proxy = proxy as String, url = url as String] in
      for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY"] {
        setenv(name, proxy, 1)
      }
      for name in ["HOME", "CURL_HOME", "XDG_CONFIG_HOME"] { setenv(name, folder, 1) }
      setenv("NETRC", folder + "/.netrc", 1)
      unsetenv("no_proxy")
      unsetenv("NO_PROXY")
      let facts = try await EnvironmentTests.load(url, on: face)
      let isAsynchronous = face == .asynchronous
      #expect(facts.status == (isAsynchronous ? nil : 401))
      #expect((facts.error as? URLError)?.errorCode == (isAsynchronous ? -1012 : nil))
    }
    let requests = server.log.snapshot().requests
    #expect(requests.map(\.target) == ["/basic"])
    #expect(requests.allSatisfy { $0["Authorization"] == nil && $0["Proxy-Authorization"] == nil })
  }

  @Test(arguments: [ChallengeFace.connection, .dataTask])
  func `AU-10: a credential that is kept for good lies in no file`(face: ChallengeFace) async throws {
    let server = LessonServer(routes: [.basic("/basic", user: "lesson", password: "pass-word-2f6c")])
    try server.start()
    let home = try TestDirectory()
    let (folder, url) = (home.url.path, server.url("/basic"))
    await #expect(processExitsWith: .success) {
      [face = face as ChallengeFace, folder = folder as String, url = url as String] in
      for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] { setenv(name, folder, 1) }
      let client = ChallengeClient(face, configuration: .default) { _ in
        .login("lesson", "pass-word-2f6c", .permanent)
      }
      #expect(await client.load(url).status == 200)
      #expect(await client.load(url).status == 200)
    }
    for file in FileManager.default.enumerator(at: home.url, includingPropertiesForKeys: nil) ?? .init() {
      guard let file = file as? URL, let data = try? Data(contentsOf: file) else { continue }
      #expect(data.range(of: Data("pass-word-2f6c".utf8)) == nil, "\(file.path)")
    }
  }

  @Test(arguments: Face.allCases)
  func `CK-08: the policy never takes no cookie, and that of the main document's domain only such a one`(face: Face)
    async throws
  {
    let cookie = HeaderField("Set-Cookie", "a=1; Path=/")
    let server = LessonServer(routes: [Route("/*", script: .response(Response(fields: [cookie])))])
    try server.start()
    let port = Int(server.port)
    await #expect(processExitsWith: .success) { [face = face as Face, port = port as Int] in
      for (policy, document, isTaken) in [
        (HTTPCookie.AcceptPolicy.never, nil, false), (.onlyFromMainDocumentDomain, "http://www.test/", false),
        (.onlyFromMainDocumentDomain, "http://127.0.0.1/x", true), (.always, "http://www.test/", true),
      ] as [(HTTPCookie.AcceptPolicy, String?, Bool)] {
        HTTPCookieStorage.shared.cookieAcceptPolicy = policy
        let client = Client(face) { configuration in
          configuration.httpCookieStorage = .shared
          configuration.httpCookieAcceptPolicy = policy
        }
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/x")))
        request.mainDocumentURL = document.flatMap { URL(string: $0) }
        let observation = client.start(request)
        #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
        await client.close()
        let stored = HTTPCookieStorage.shared.cookies ?? []
        #expect(stored.map(\.name) == (isTaken ? ["a"] : []), "\(policy) \(document ?? "")")
        for cookie in stored { HTTPCookieStorage.shared.deleteCookie(cookie) }
      }
    }
  }

  /// Files that are no store of cookies, or none any more.
  private static let brokenStores: [(name: String, content: [UInt8]?)] = [
    ("empty", []), ("garbage", SeededBody(seed: 9).bytes(0..<4096)), ("a folder", nil),
    ("cut", Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a".utf8)),
    (
      "another kind of list",
      Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><array><string>a</string></array></plist>".utf8)
    ),
    (
      "foreign entries",
      Array(
        """
        <?xml version="1.0"?><plist version="1.0"><dict><key>a</key><dict><key>Name</key><integer>1</integer></dict>
        <key>b</key><dict/></dict></plist>
        """.utf8)
    ),
  ]

  @Test(arguments: [Face.connection, .dataTask], brokenStores.indices)
  func `CK-11: a store of cookies that cannot be read is an empty one`(face: Face, index: Int) async throws {
    let cookie = HeaderField("Set-Cookie", "a=1; Path=/; Max-Age=3600")
    let server = LessonServer(routes: [
      Route("/set", script: .response(Response(fields: [cookie]))), Route("/ok", script: .response(.text("ok"))),
    ])
    try server.start()
    let home = try TestDirectory()
    // The toolchain names the folder after the one that holds the executable.
    let folder = home.url.appending(path: Bundle.main.bundleURL.lastPathComponent)
    let file = folder.appending(path: ".cookies.shared")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let content = Self.brokenStores[index].content {
      try Data(content).write(to: file)
    } else {
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    }
    let (path, base) = (home.url.path, server.url(""))
    await #expect(processExitsWith: .success) {
      [face = face as Face, path = path as String, base = base as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let client = Client(face) { $0.httpCookieStorage = .shared }
      for path in ["/ok", "/set", "/ok"] {
        let observation = client.start(URLRequest(url: try #require(URL(string: base + path))))
        #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
        #expect(observation.facts.error == nil)
      }
      await client.close()
    }
    #expect(server.log.snapshot().requests.map { $0["Cookie"] } == [nil, nil, "a=1"])
    // It was this store that could not be read: the new cookie lies there now, unless a folder is in the way.
    guard Self.brokenStores[index].content != nil else { return }
    #expect(try Data(contentsOf: file).range(of: Data("127.0.0.1".utf8)) != nil)
  }
}
