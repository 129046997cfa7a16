// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// The old pair, which is deprecated, by a way that the compiler does not warn about.
private protocol OldTLSNames: AnyObject {
  var tlsMinimumSupportedProtocol: SSLProtocol { get set }
  var tlsMaximumSupportedProtocol: SSLProtocol { get set }
}

extension URLSessionConfiguration: OldTLSNames {}

/// B.4 and B.15: which versions of TLS are spoken, and which one was.
@Suite struct TLSVersionTests {
  private typealias Version = tls_protocol_version_t

  private static func server(_ offer: TLSSettings.Offer) throws -> (LessonServer, URLSessionConfiguration) {
    var settings = TLSSettings(authority: try CertificateAuthority())
    settings.offer = offer
    let server = LessonServer(tls: settings)
    try server.start()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.values.withLock { $0.wire.authorities = Data(settings.authority.pem.utf8) }
    return (server, configuration)
  }

  private static func outcome(
    _ server: LessonServer, _ configuration: URLSessionConfiguration
  ) async throws -> Outcome<Data> {
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: server.url("/ok")))
    return await session.outcome { session.dataTask(with: url, completionHandler: $0) }
  }

  @Test func `versions have Apple's numbers, and TLS 1_2 is the oldest unless set (B.4)`() {
    #expect([Version.TLSv10, .TLSv11, .TLSv12, .TLSv13].map(\.rawValue) == [0x0301, 0x0302, 0x0303, 0x0304])
    let configuration = URLSessionConfiguration.default
    #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv12)
    #expect(configuration.tlsMaximumSupportedProtocolVersion == .TLSv13)
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
    let session = URLSession(configuration: configuration)
    #expect(session.configuration.tlsMinimumSupportedProtocolVersion == .TLSv13)
    session.finishTasksAndInvalidate()
  }

  @Test func `the old names mean the same versions (B.4)`() {
    let configuration = URLSessionConfiguration.default
    let old: any OldTLSNames = configuration
    #expect(old.tlsMinimumSupportedProtocol == .tlsProtocol12)
    #expect(old.tlsMaximumSupportedProtocol == .tlsProtocol13)
    old.tlsMinimumSupportedProtocol = .tlsProtocol13
    #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv13)
    old.tlsMaximumSupportedProtocol = .tlsProtocol11
    #expect(configuration.tlsMaximumSupportedProtocolVersion == .TLSv11)
    old.tlsMinimumSupportedProtocol = .sslProtocolUnknown
    #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv12)
    #expect(SSLProtocol.tlsProtocol13.rawValue == 10)
    let all: [Version] = [.TLSv10, .TLSv11, .TLSv12, .TLSv13, .DTLSv10, .DTLSv12]
    #expect(all.map { SSLProtocol($0).version } == all)
  }

  @Test(arguments: [
    (TLSSettings.Offer.tls12, Version.TLSv12, Version.TLSv13, 0), (.tls12, .TLSv13, .TLSv13, -1200),
    (.tls13, .TLSv12, .TLSv13, 0), (.tls13, .TLSv12, .TLSv12, -1200), (.modern, .TLSv13, .TLSv12, -1200),
    (.modern, .DTLSv12, .DTLSv12, 0),
  ]) func `a server must speak a version between the two (B.4)`(
    offer: TLSSettings.Offer, oldest: tls_protocol_version_t, newest: tls_protocol_version_t, code: Int
  ) async throws {
    let (server, configuration) = try Self.server(offer)
    configuration.tlsMinimumSupportedProtocolVersion = oldest
    configuration.tlsMaximumSupportedProtocolVersion = newest
    let outcome = try await Self.outcome(server, configuration)
    #expect(outcome.error?.errorCode ?? 0 == code)
    #expect(server.log.snapshot().requests.count == (code == 0 ? 1 : 0))
    server.stop()
  }

  @Test func `the newest version bounds what is agreed on (B.4)`() async throws {
    let (server, configuration) = try Self.server(.modern)
    for (newest, name) in [(Version.TLSv12, "TLSv1.2"), (.TLSv13, "TLSv1.3")] {
      configuration.tlsMaximumSupportedProtocolVersion = newest
      #expect(try await Self.outcome(server, configuration).status == 200)
      #expect(server.log.snapshot().sockets.last?.tls?.version == name)
    }
    server.stop()
  }

  private final class Meter: NSObject, URLSessionTaskDelegate {
    let metrics = EventLog<URLSessionTaskMetrics>()
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
      self.metrics.append(metrics)
    }
  }

  @Test(arguments: [(TLSSettings.Offer.tls12, Version.TLSv12), (.tls13, .TLSv13)])
  func `the version and the cipher suite that were agreed on, also of a connection used again (B.15)`(
    offer: TLSSettings.Offer, version: tls_protocol_version_t
  ) async throws {
    let (server, configuration) = try Self.server(offer)
    let meter = Meter()
    let session = URLSession(configuration: configuration, delegate: meter, delegateQueue: nil)
    for number in 1...2 {
      session.dataTask(with: try #require(URL(string: server.url("/ok")))) { _, _, _ in }.resume()
      try await meter.metrics.wait { $0.count == number }
    }
    session.finishTasksAndInvalidate()
    let transactions = meter.metrics.all.flatMap(\.transactionMetrics)
    #expect(transactions.map(\.isReusedConnection).last == true)
    for transaction in transactions where transaction.response != nil {
      #expect(transaction.negotiatedTLSProtocolVersion == version)
      let suites: [tls_ciphersuite_t] =
        version == .TLSv13
        ? [.AES_128_GCM_SHA256, .AES_256_GCM_SHA384, .CHACHA20_POLY1305_SHA256]
        : [
          .ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
          .ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
      #expect(transaction.negotiatedTLSCipherSuite.map(suites.contains) == true)
    }
    server.stop()
  }

  @Test func `a plain connection agrees on nothing (B.15)`() async throws {
    let fixture = try Fixture()
    let meter = Meter()
    let task = fixture.session.dataTask(with: try fixture.url("/ok"))
    task.delegate = meter
    task.resume()
    let transaction = try #require(try await meter.metrics.wait { !$0.isEmpty }.first?.transactionMetrics.first)
    #expect(transaction.negotiatedTLSProtocolVersion == nil && transaction.negotiatedTLSCipherSuite == nil)
  }
}
