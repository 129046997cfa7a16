// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The surroundings of a process that must change nothing: AU-10, AU-13, CK-08. Each in a process of its own, and so not under
/// a sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct EnvironmentTests {
  private static func load(_ url: String, on face: Face, _ change: (inout URLRequest) -> Void = { _ in }) async throws
    -> Observation.Facts
  {
    var request = URLRequest(url: try #require(URL(string: url)))
    change(&request)
    return await Client.load(request, on: face)
  }

  @Test(arguments: Face.allCases)
  func `proxies of the environment, a netrc and a curlrc are ignored (AU-13)`(face: Face) async throws {
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

  @Test(arguments: Face.allCases)
  func `a proxy that is named and not spoken here ends the load`(face: Face) async {
    await #expect(processExitsWith: .success) { [face = face as Face] in
      for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
      setenv("http_proxy", "https://127.0.0.1:1", 1)
      // Without the proxy the name, which is nobody's (RFC 6761 section 6.4), would end it with -1003.
      let error = try await EnvironmentTests.load("http://a.invalid/", on: face).error as? URLError
      #expect(error?.code == .cannotConnectToHost && error?.localizedDescription.contains("http_proxy") == true)
    }
  }

  @Test(arguments: [ChallengeFace.connection, .dataTask])
  func `a credential that is kept for good lies in no file (AU-10)`(face: ChallengeFace) async throws {
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

  @Test(arguments: [false, true])
  func `a session that uses no shared store leaves nothing in the home`(isDefault: Bool) async throws {
    let server = LessonServer(routes: Route.standard)
    try server.start()
    let home = try TestDirectory()
    let (folder, url) = (home.url.path, server.url("/ok"))
    await #expect(processExitsWith: .success) {
      [isDefault = isDefault as Bool, folder = folder as String, url = url as String] in
      for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] { setenv(name, folder, 1) }
      let configuration = isDefault ? URLSessionConfiguration.default : .ephemeral
      if isDefault { (configuration.urlCache, configuration.httpCookieStorage) = (nil, nil) }
      let session = URLSession(configuration: configuration)
      let (data, _) = try await session.data(from: try #require(URL(string: url)))
      #expect(data == Data("ok".utf8))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == [])
  }

  @Test(arguments: Face.allCases)
  func `the policy never takes no cookie, and that of the main document's domain only such a one (CK-08)`(face: Face)
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
        _ = await client.load(request)
        await client.close()
        let stored = HTTPCookieStorage.shared.cookies ?? []
        #expect(stored.map(\.name) == (isTaken ? ["a"] : []), "\(policy) \(document ?? "")")
        for cookie in stored { HTTPCookieStorage.shared.deleteCookie(cookie) }
      }
    }
  }
}
