// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// api-facts B.8: `startSecureConnection()`.
@Suite struct SecureStreamTests {
  private static func fixture(trusts: Bool = true) throws -> StreamFixture {
    let authority = try CertificateAuthority()
    var configuration = URLSessionConfiguration.ephemeral.loadConfiguration
    if trusts { configuration.authorities = Data(authority.pem.utf8) }
    return try StreamFixture(
      opening: nil, tls: TLSSettings(authority: authority), configuration: URLSessionConfiguration(configuration))
  }

  private static let request = "GET /ok HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

  @Test(arguments: [false, true])
  func `B8: asked for before the first byte, every byte goes over TLS`(isResumed: Bool) async throws {
    let fixture = try Self.fixture()
    let task = fixture.session.streamTask(withHostName: "127.0.0.1", port: Int(fixture.server.port))
    if isResumed { task.resume() }
    task.startSecureConnection()
    task.resume()
    #expect(await task.put(Self.request) == nil)
    let text = String(decoding: try await task.rest(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nok"))
    task.closeWrite()
    let events = try await fixture.recorder.events()
    #expect(events == [.created, .challenge, .readClosed, .writeClosed, .metrics, .complete(nil)])
  }

  @Test func `B8: a server that nobody trusts gets no byte`() async throws {
    let fixture = try Self.fixture(trusts: false)
    let task = fixture.session.streamTask(withHostName: "127.0.0.1", port: Int(fixture.server.port))
    task.startSecureConnection()
    task.resume()
    // An authority that nobody knows: faults TL-07.
    #expect(await task.put(Self.request) == -1203)
    #expect(try await fixture.recorder.events().last == .complete(-1203))
    #expect(fixture.server.log.snapshot().requests.isEmpty)
  }

  @Test func `a plain connection that stands is left for a secure one`() async throws {
    let fixture = try Self.fixture()
    let task = fixture.session.streamTask(withHostName: "127.0.0.1", port: Int(fixture.server.port))
    task.resume()
    try await eventually { fixture.server.log.counts.opened == 1 }
    task.startSecureConnection()
    #expect(await task.put(Self.request) == nil)
    #expect(String(decoding: try await task.rest(), as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `TLS cannot begin in the midst of a stream`() async throws {
    let fixture = try StreamFixture()
    let task = fixture.task()
    #expect(await task.put("plain") == nil)
    task.startSecureConnection()
    #expect(try await fixture.recorder.events().last == .complete(-1200))
  }
}
