// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// The method that is deprecated, by a way that the compiler does not warn about.
private protocol OldStreamNames: AnyObject {
  func stopSecureConnection()
}

extension URLSessionStreamTask: OldStreamNames {}

/// B.8: `startSecureConnection()`.
@Suite struct SecureStreamTests {
  /// A server that answers a line in the clear, then speaks TLS and sends back what comes.
  static let midway: Script = [.readLine, .text("go\r\n"), .beginTLS, .echo]

  static func fixture(
    _ opening: Script? = midway, trusts: Bool = true, configuration: URLSessionConfiguration = .ephemeral,
    answer: @escaping StreamAnswer = { $1(.performDefaultHandling, nil) },
    change: (inout TLSSettings) -> Void = { _ in }
  ) throws -> StreamFixture {
    var settings = TLSSettings(authority: try CertificateAuthority())
    change(&settings)
    if trusts { configuration.values.withLock { $0.wire.authorities = Data(settings.authority.pem.utf8) } }
    return try StreamFixture(opening: opening, tls: settings, configuration: configuration, answer: answer)
  }

  /// A task that has come to where TLS begins.
  static func turning(_ fixture: StreamFixture, host: String = "127.0.0.1") async -> URLSessionStreamTask {
    let task = fixture.task(host: host)
    #expect(await task.put("STARTTLS\r\n") == nil)
    #expect(await task.text(4) == "go\r\n")
    task.startSecureConnection()
    return task
  }

  private static let request = "GET /ok HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

  @Test(arguments: [false, true])
  func `asked for before the first byte, every byte goes over TLS (B8)`(isResumed: Bool) async throws {
    let fixture = try Self.fixture(nil)
    let task = fixture.session.streamTask(withHostName: "127.0.0.1", port: Int(fixture.server.port))
    if isResumed {
      task.resume()
      try await eventually { fixture.server.log.counts.opened == 1 }
    }
    task.startSecureConnection()
    task.resume()
    #expect(await task.put(Self.request) == nil)
    let text = String(decoding: try await task.rest(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nok"))
    task.closeWrite()
    let events = try await fixture.recorder.events()
    #expect(events == [.created, .challenge, .readClosed, .writeClosed, .metrics, .complete(nil)])
    #expect(fixture.server.log.counts.opened == 1)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `TLS begins behind what was read and written, on the same connection (B8)`(host: String) async throws {
    let fixture = try Self.fixture()
    let task = await Self.turning(fixture, host: host)
    #expect(await task.put("secret") == nil)
    #expect(await task.text(6) == "secret")
    #expect(fixture.recorder.log.all == [.created, .challenge])
    #expect(fixture.server.log.counts.opened == 1)
    let record = try #require(fixture.server.log.snapshot().sockets.first?.tls)
    #expect(record.version == "TLSv1.3" && record.failure == nil)
    task.closeWrite()
    #expect(await task.text() == ".")
    #expect(try await fixture.recorder.events().last == .complete(nil))
  }

  @Test func `calls keep their order on both sides of the handshake (B8)`() async throws {
    let fixture = try Self.fixture()
    let task = fixture.session.streamTask(withHostName: "127.0.0.1", port: Int(fixture.server.port))
    let answers = EventLog<String>()
    @Sendable func read(_ count: Int) {
      task.readData(ofMinLength: count, maxLength: count, timeout: 0) { data, atEOF, error in
        answers.append(error == nil ? String(decoding: data ?? Data(), as: UTF8.self) + (atEOF ? "." : "") : "failed")
      }
    }
    @Sendable func write(_ text: String) {
      task.write(Data(text.utf8), timeout: 0) { answers.append($0 == nil ? "wrote" : "failed") }
    }
    write("STARTTLS\r\n")
    read(4)
    task.startSecureConnection()
    task.startSecureConnection()
    write("one")
    read(3)
    task.closeWrite()
    write("never")
    read(1)
    task.closeRead()
    task.resume()
    let events = try await fixture.recorder.events()
    #expect(answers.all == ["wrote", "go\r\n", "failed", "wrote", "one", "."])
    #expect(events.last == .complete(nil))
  }

  @Test func `much goes over it in both directions at once (B8)`() async throws {
    let fixture = try Self.fixture()
    let task = await Self.turning(fixture)
    let content = Data(SeededBody(seed: 5).bytes(0..<(4 << 20)))
    task.write(content, timeout: 0) { #expect($0 == nil) }
    task.closeWrite()
    let back = try await task.rest()
    let isEqual = back == content
    #expect(isEqual)
  }

  @Test func `streams that take over speak TLS, too (B8)`() async throws {
    let fixture = try Self.fixture()
    let task = await Self.turning(fixture)
    task.captureStreams()
    let pair = try await fixture.recorder.pairs.wait { !$0.isEmpty }[0]
    pair.input.open()
    pair.output.open()
    let sent = Array("captured".utf8)
    #expect(pair.output.write(sent, maxLength: sent.count) == sent.count)
    var bytes = [UInt8](repeating: 0, count: sent.count)
    var count = 0
    while count < sent.count {
      let more = bytes.withUnsafeMutableBufferPointer { room in
        room.baseAddress.map { pair.input.read($0 + count, maxLength: room.count - count) } ?? -1
      }
      guard more > 0 else { break }
      count += more
    }
    #expect(bytes == sent)
    pair.input.close()
    pair.output.close()
  }

  @Test func `TLS does not end before the stream (B8)`() async throws {
    let fixture = try Self.fixture()
    let task = await Self.turning(fixture)
    let old: any OldStreamNames = task
    old.stopSecureConnection()
    #expect(await task.put("secret") == nil)
    #expect(await task.text(6) == "secret")
    task.cancel()
  }

  @Test func `the handshake has its time, and its agreement (B15)`() async throws {
    let fixture = try Self.fixture()
    let task = await Self.turning(fixture)
    #expect(await task.put("x") == nil)
    task.cancel()
    _ = try await fixture.recorder.events()
    let metrics = try #require(fixture.recorder.metrics.all.first?.transactionMetrics.first)
    let (start, end) = (try #require(metrics.secureConnectionStartDate), try #require(metrics.secureConnectionEndDate))
    let connected = try #require(metrics.connectStartDate)
    #expect(connected <= start && start < end)
    #expect(metrics.negotiatedTLSProtocolVersion == .TLSv13)
  }
}
