// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing
import Transport

@testable import URLLoading

/// LC-06: waiting for cookies changes no order.
@Suite struct CookieOrderTests {
  private let context: LoadContext
  private let jar: CookieJar

  init() throws {
    var configuration = LoadConfiguration()
    configuration.connectionsPerHost = 1
    configuration.cookieStorage = PrivateStores.makeCookieStorage()
    context = LoadContext(configuration)
    jar = try #require(context.cookies)
  }

  /// Starts a load, which has its cookies, or has asked for them, when this returns.
  private func start(_ url: String) throws -> LoadProbe {
    let probe = LoadProbe()
    let url = try #require(URL(string: url))
    Load(URLRequest(url: url), in: context, sink: .collect, client: probe).start()
    let hasBegun = DispatchSemaphore(value: 0)
    context.transport.perform { hasBegun.signal() }
    #expect(hasBegun.waitPatiently())
    return probe
  }

  @Test func `LC-06: a load whose cookies are at hand waits behind one that was asked to wait`() async throws {
    try await onThread {
      let server = LessonServer(routes: [Route("/*", script: .response(.text("ok")))])
      try server.start()
      let url = try #require(URL(string: server.url("/")))
      let (first, second, stored) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      // The queue stands still; then it stores; then it stands still once more, and has not come to the first load.
      jar.find(for: url) { _ in _ = first.waitPatiently() }
      jar.keep([], from: url, mainDocument: nil, policy: nil) { stored.signal() }
      jar.find(for: url) { _ in _ = second.waitPatiently() }
      let early = try start(server.url("/early"))
      first.signal()
      #expect(stored.waitPatiently())
      let late = try start(server.url("/late"))
      second.signal()
      #expect(early.waitForEnd()?.error == nil && late.waitForEnd()?.error == nil)
      let log = server.log.settled(within: .seconds(TestMachine.patience))
      #expect(log.requests.map(\.target) == ["/early", "/late"])
      server.stop()
    }
  }
}
