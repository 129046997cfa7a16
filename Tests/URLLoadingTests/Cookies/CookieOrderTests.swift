// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import LessonServer
import Locking
import TestSupport
import Testing

@testable import URLLoading

/// A program's own class of cookie storages (LC-06 and B.4).
@Suite struct CookieOrderTests {
  /// Notes what it is asked, and answers when it may.
  private final class OwnStorage: URLLoading.HTTPCookieStorage, @unchecked Sendable {
    // Sendable: its state is locked.
    let gate = DispatchSemaphore(value: 0)
    let asked = Locked<[String]>([])

    override func cookies(for url: URL) -> [HTTPCookie]? {
      asked.withLock { $0.append(url.path) }
      _ = gate.waitPatiently()
      return super.cookies(for: url)
    }

    override func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
      asked.withLock { $0.append("set " + cookies.map(\.name).joined(separator: ",")) }
      super.setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
    }
  }

  @Test func `loads that wait for a program's own storage go out in their order, with what it says (LC-06)`()
    async throws
  {
    try await onThread {
      let cookie = HeaderField("Set-Cookie", "a=1; Path=/")
      let server = LessonServer(routes: [Route("/*", script: .response(Response(fields: [cookie])))])
      try server.start()
      let storage = OwnStorage()
      var configuration = LoadConfiguration()
      configuration.wire.connectionsPerHost = 1
      configuration.cookieStorage = storage
      let context = LoadContext(configuration)
      let probes = try ["/early", "/late"].map { path in
        let probe = LoadProbe()
        let url = try #require(URL(string: server.url(path)))
        Load(URLRequest(url: url), in: context, sink: .collect, client: probe).start()
        return probe
      }
      for _ in 0..<2 { storage.gate.signal() }
      for probe in probes { #expect(probe.waitForEnd()?.error == nil) }
      let log = server.log.settled(within: .seconds(TestMachine.patience))
      #expect(log.requests.map(\.target) == ["/early", "/late"])
      #expect(storage.asked.withLock { $0 }.sorted() == ["/early", "/late", "set a", "set a"])
      #expect(storage.store.cookies.map(\.name) == ["a"])
      server.stop()
    }
  }
}
