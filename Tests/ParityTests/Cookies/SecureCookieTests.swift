// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// CK-05 and CK-06 over https, end to end. The certificate is for localhost, so all cases share that host: each has a
/// folder of its own, to which its cookies are bound.
@Suite struct SecureCookieTests {
  private static func routes(_ folder: String) -> [Route] {
    func setting(_ cookies: String...) -> Script {
      .response(Response(fields: cookies.map { HeaderField("Set-Cookie", "\($0); Path=\(folder)") }))
    }
    return [
      Route("\(folder)/set", script: setting("safe=1; Secure", "any=1", "__Secure-kept=1; Secure", "__Secure-lost=1")),
      Route("\(folder)/plain", script: setting("safe=2", "safe=3; Secure", "any=2")),
      Route("\(folder)/*", script: .response(.text("ok"))),
    ]
  }

  @Test(arguments: Face.allCases)
  func `secure cookies go over https alone, and nobody sets or replaces them elsewhere (CK-05, CK-06)`(face: Face)
    async throws
  {
    let folder = "/s\(UUID().uuidString.prefix(8))"
    let secure = try TestAuthority.server(.trusted, routes: Self.routes(folder))
    let plain = LessonServer(routes: Self.routes(folder))
    try plain.start()
    let client = Client(face)
    for (server, path) in [
      (secure, "/set"), (secure, "/one"), (plain, "/two"), (plain, "/plain"), (secure, "/three"), (plain, "/four"),
    ] {
      let url = server.url(folder + path, host: "localhost")
      let observation = client.start(URLRequest(url: try #require(URL(string: url))))
      #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
      #expect(observation.facts.error == nil, "\(path)")
    }
    func cookies(_ server: LessonServer) -> [String?] { server.log.snapshot().requests.map { $0["Cookie"] } }
    // Cookies are not told apart by port (RFC 6265 section 8.5).
    #expect(
      cookies(secure) == [nil, "safe=1; any=1; __Secure-kept=1", "safe=1; any=2; __Secure-kept=1"])
    #expect(cookies(plain) == ["any=1", "any=1", "any=2"])
    await client.close()
    secure.stop()
  }
}
