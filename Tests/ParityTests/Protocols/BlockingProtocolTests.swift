// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Answers the scheme `blocking` with what it loads synchronously from the address behind the number sign.
private final class Blocking: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "blocking" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url?.fragment(percentEncoded: false).flatMap({ URL(string: $0) }) else { return }
    do {
      let data = try NSURLConnection.sendSynchronousRequest(URLRequest(url: url), returning: nil)
      answer(String(decoding: data, as: UTF8.self))
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() {}
}

/// Answers the scheme `inner` at once.
private final class Inner: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "inner" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() { answer("inner") }
  override func stopLoading() {}
}

/// Tells the first half of its answer, and the second when it may, all within `startLoading()`.
private final class Halves: URLProtocol {
  static let gate = DispatchSemaphore(value: 0)

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "halves" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    beginAnswer()
    client?.urlProtocol(self, didLoad: Data("one".utf8))
    guard Self.gate.waitPatiently() else { return }
    client?.urlProtocol(self, didLoad: Data("two".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// A protocol that blocks in `startLoading()` holds up neither what it waits for nor what it has told.
@Suite(.serialized) final class BlockingProtocolTests {
  private static let classes: [AnyClass] = [Blocking.self, Inner.self, Halves.self]

  init() { for one in Self.classes { URLProtocol.registerClass(one) } }

  private func client(_ face: Face) -> Client { Client(face) { $0.protocolClasses = Self.classes } }

  private func load(_ address: String, on face: Face) async throws -> String {
    let client = client(face)
    let facts = await client.load(URLRequest(url: try #require(URL(string: address))))
    await client.close()
    #expect(facts.error == nil)
    return String(decoding: facts.body, as: UTF8.self)
  }

  @Test(arguments: Face.allCases)
  func `a protocol may load over HTTP while its thread waits`(face: Face) async throws {
    try await LessonServer.serving([Route("/ok", script: .response(.text("ok")))]) { server in
      let text = try await load("blocking://a/#\(server.url("/ok"))", on: face)
      #expect(text == "ok")
    }
  }

  @Test(arguments: Face.allCases)
  func `a protocol may wait for another one`(face: Face) async throws {
    #expect(try await load("blocking://a/#inner://b/", on: face) == "inner")
  }

  @Test func `two protocols may wait for a third`() async throws {
    #expect(try await load("blocking://a/#blocking://b/%23inner://c/", on: .dataTask) == "inner")
  }

  @Test(arguments: [Face.connection, .dataTask])
  func `what a protocol tells arrives before its call has returned`(face: Face) async throws {
    let client = client(face)
    let observation = client.start(URLRequest(url: try #require(URL(string: "halves://a/"))))
    try await eventually { !observation.facts.body.isEmpty }
    #expect(observation.facts.body == Array("one".utf8))
    Halves.gate.signal()
    #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
    #expect(observation.facts.body == Array("onetwo".utf8) && observation.facts.error == nil)
    await client.close()
  }
}
