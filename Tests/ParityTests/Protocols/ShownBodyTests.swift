// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// How a class saw the bodies of its requests, by their addresses.
private let seen = Locked<[String: [String]]>([:])
private let key = "forwarded"

private func note(_ call: String, _ request: URLRequest) {
  var text = call
  if let body = request.httpBody { text += " bytes \(String(decoding: body, as: UTF8.self))" }
  if let stream = request.httpBodyStream { text += " stream \(String(decoding: all(of: stream), as: UTF8.self))" }
  seen.withLock { [text] in $0[request.url?.absoluteString ?? "", default: []].append(text) }
}

private func all(of stream: InputStream) -> Data {
  stream.open()
  defer { stream.close() }
  var (data, bytes) = (Data(), [UInt8](repeating: 0, count: 3))
  while stream.hasBytesAvailable {
    let count = stream.read(&bytes, maxLength: bytes.count)
    guard count > 0 else { break }
    data.append(contentsOf: bytes.prefix(count))
  }
  return data
}

/// Answers the path `/seen` itself, and sends what goes to another path `/forward…` on, by the API that its query names. It
/// reads the body wherever it sees it, as mocks and loggers do.
private final class BodySeer: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    let isOurs = request.url?.path().hasPrefix("/seer/") == true
    guard isOurs, property(forKey: key, in: request) == nil else { return false }
    note("asked", request)
    return true
  }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    note("started", request)
    guard request.url?.path() == "/seer/forward" else { return answer("ok") }
    guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
    Self.setProperty(true, forKey: key, in: copy)
    let forwarded = copy as URLRequest
    // Nothing in it changes after it is made.
    nonisolated(unsafe) let this = self
    if request.url?.query() == "session" {
      URLSession.shared.dataTask(with: forwarded) { data, _, _ in
        this.answer(String(decoding: data ?? Data(), as: UTF8.self))
      }.resume()
    } else {
      NSURLConnection.sendAsynchronousRequest(forwarded, queue: OperationQueue()) { _, data, _ in
        this.answer(String(decoding: data ?? Data(), as: UTF8.self))
      }
    }
  }

  override func stopLoading() {}
}

/// D16: a session shows a body as a stream, a connection as it was given.
@Suite final class ShownBodyTests {
  init() { URLProtocol.registerClass(BodySeer.self) }

  private func request(_ address: String, _ method: String = "POST") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: address)))
    (request.httpMethod, request.httpBody) = (method, Data("hello".utf8))
    return request
  }

  private func load(_ request: URLRequest, on face: Face) async throws -> String {
    let client = Client(face) { $0.protocolClasses?.insert(BodySeer.self, at: 0) }
    let facts = await client.load(request)
    await client.close()
    #expect(facts.error == nil)
    return String(decoding: facts.body, as: UTF8.self)
  }

  @Test(arguments: Face.allCases, ["POST", "PUT"])
  func `a session's protocols see a stream from the question on, a connection's the bytes (D16)`(
    face: Face, method: String
  ) async throws {
    let address = "http://127.0.0.1/seer/seen?\(UUID())"
    #expect(try await load(try request(address, method), on: face) == "ok")
    let form = face.isSession ? "stream" : "bytes"
    #expect(seen.withLock { $0[address] } == ["asked \(form) hello", "started \(form) hello"])
  }

  /// Looks at its request's body twice, as doubles of tests do.
  private final class TwiceReader: SessionAPI.URLProtocol, @unchecked Sendable {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
      let texts = (1...2).map { _ in
        request.httpBodyStream.map { String(decoding: all(of: $0), as: UTF8.self) } ?? "none"
      }
      if let url = request.url {
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      }
      client?.urlProtocol(self, didLoad: Data(texts.joined(separator: " ").utf8))
      client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
  }

  @Test func `who looks at a protocol's body takes nothing away (D16)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [TwiceReader.self]
    let session = URLSession(configuration: configuration)
    let (data, _) = try await session.data(for: try request("http://127.0.0.1/twice"))
    session.invalidateAndCancel()
    #expect(String(decoding: data, as: UTF8.self) == "hello hello")
  }

  @Test(arguments: Face.allCases)
  func `a body that was given as a stream stays that stream`(face: Face) async throws {
    let address = "http://127.0.0.1/seer/seen?\(UUID())"
    var request = try request(address)
    request.httpBodyStream = InputStream(data: Data("flow".utf8))
    #expect(try await load(request, on: face) == "ok")
    #expect(seen.withLock { $0[address]?.first } == "asked stream flow")
  }

  @Test(arguments: Face.allCases)
  func `a request without a body is shown without one`(face: Face) async throws {
    let address = "http://127.0.0.1/seer/seen?\(UUID())"
    var request = try request(address)
    request.httpBody = nil
    #expect(try await load(request, on: face) == "ok")
    #expect(seen.withLock { $0[address] } == ["asked", "started"])
  }

  @Test(arguments: Face.allCases, ["session", "connection"])
  func `a protocol sends its request on with a length, also where it has read the stream`(
    face: Face, next: String
  ) async throws {
    let taking = Route("/seer/forward", script: .response(.text("taken")))
    try await LessonServer.serving([taking]) { server in
      let request = try request(server.url("/seer/forward?\(next)"))
      #expect(try await load(request, on: face) == "taken")
      let sent = try #require(server.log.settled(within: .seconds(TestMachine.patience)).requests.first)
      #expect(sent["Content-Length"] == "5" && sent["Transfer-Encoding"] == nil && sent.bodyBytes == 5)
    }
  }
}
