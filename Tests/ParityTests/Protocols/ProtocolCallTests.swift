// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import SessionAPI
import TestSupport
import Testing

/// A call that a class makes at its client.
private enum Call: Character, CaseIterable {
  case response = "r"
  /// A response that leads elsewhere.
  case moved = "m"
  /// A stored response, which brings its body.
  case stored = "s"
  case body = "b"
  case redirect = "d"
  case finish = "f"
  case fail = "e"
}

/// The client of either class.
private struct Told {
  var response: (URLResponse) -> Void
  var stored: (CachedURLResponse) -> Void
  var body: (Data) -> Void
  var redirect: (URLRequest, URLResponse) -> Void
  var finish: () -> Void
  var fail: (URLError) -> Void
}

/// The answers that both classes give.
private enum Calls {
  static let target = "calls://b/"

  static func response(_ url: URL, _ status: Int = 200) -> URLResponse {
    let fields = status == 302 ? ["Location": target] : [:]
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
      ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
  }

  /// Makes the calls of an address.
  static func make(_ told: Told, for url: URL) {
    for call in calls(url) {
      switch call {
      case .response: told.response(response(url))
      case .moved: told.response(response(url, 302))
      case .stored: told.stored(CachedURLResponse(response: response(url), data: Data("s".utf8)))
      case .body: told.body(Data("b".utf8))
      case .redirect: URL(string: target).map { told.redirect(URLRequest(url: $0), response(url, 302)) }
      case .finish: told.finish()
      case .fail: told.fail(URLError(.cannotOpenFile))
      }
    }
  }

  /// The calls that the address names; where they lead to no end, an error behind them.
  static func calls(_ url: URL) -> [Call] {
    if url.absoluteString == target { return [.response, .body, .finish] }
    return url.path().dropFirst().compactMap(Call.init) + [.fail]
  }
}

/// Makes the calls that its address names.
private final class Calling: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "calls" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    guard let url = request.url, let client else { return }
    Calls.make(
      Told(
        response: { client.urlProtocol(self, didReceive: $0, cacheStoragePolicy: .notAllowed) },
        stored: { client.urlProtocol(self, cachedResponseIsValid: $0) },
        body: { client.urlProtocol(self, didLoad: $0) },
        redirect: { client.urlProtocol(self, wasRedirectedTo: $0, redirectResponse: $1) },
        finish: { client.urlProtocolDidFinishLoading(self) },
        fail: { client.urlProtocol(self, didFailWithError: $0) }),
      for: url)
  }
}

/// The same by the class that has tasks.
private final class TaskCalling: SessionAPI.URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "calls" }

  override func startLoading() {
    guard let url = request.url, let client else { return }
    Calls.make(
      Told(
        response: { client.urlProtocol(self, didReceive: $0, cacheStoragePolicy: .notAllowed) },
        stored: { client.urlProtocol(self, cachedResponseIsValid: $0) },
        body: { client.urlProtocol(self, didLoad: $0) },
        redirect: { client.urlProtocol(self, wasRedirectedTo: $0, redirectResponse: $1) },
        finish: { client.urlProtocolDidFinishLoading(self) },
        fail: { client.urlProtocol(self, didFailWithError: $0) }),
      for: url)
  }
}

/// Every order of calls has one end, and the same one over each API and form (A.9, B.4).
@Suite(.serialized) final class ProtocolCallTests {
  init() { URLProtocol.registerClass(Calling.self) }
  deinit { URLProtocol.unregisterClass(Calling.self) }

  /// The end of a load.
  private struct End: Equatable {
    var status: Int?
    var body = ""
    var code: Int?
  }

  /// The end by what is written about the client's methods: a response leads elsewhere only where a redirect is the next that is
  /// told; the first end counts.
  private static func expected(_ calls: [Call]) -> End {
    var (end, isHeld) = (End(), false)
    for call in calls + [.fail] {
      if isHeld, [.body, .finish, .fail].contains(call) { (end.status, isHeld) = (302, false) }
      switch call {
      case .response, .stored:
        if end.status == nil, !isHeld { end.status = 200 }
        if call == .stored {
          if isHeld { (end.status, isHeld) = (302, false) }
          end.body += "s"
        }
      case .moved: if end.status == nil { isHeld = true }
      case .body: end.body += "b"
      case .redirect:
        if end.status == nil { return End(status: 200, body: "b") }
        end.code = URLError.badServerResponse.rawValue
        return end
      case .finish:
        if end.status == nil { end.code = URLError.badServerResponse.rawValue }
        return end
      case .fail:
        end.code = URLError.cannotOpenFile.rawValue
        return end
      }
    }
    return end
  }

  private static func sequences(upTo longest: Int) -> [[Call]] {
    (1...longest).flatMap { length in
      (1...length).reduce([[]]) { lists, _ in lists.flatMap { list in Call.allCases.map { list + [$0] } } }
    }
  }

  /// Of each API and form of loading one has all orders of four.
  private static let thorough: [Face] = [.connection, .dataTask, .downloadTask]

  @Test(arguments: Face.allCases, [false, true])
  func `every order of up to four calls has its one end`(face: Face, hasTasks: Bool) async throws {
    if hasTasks, face == .connection || face == .asynchronous { return }
    let client = Client(face) { $0.protocolClasses = [hasTasks ? TaskCalling.self : Calling.self] }
    let longest = TestMachine.isSanitized ? 2 : Self.thorough.contains(face) && !hasTasks ? 4 : 3
    for calls in Self.sequences(upTo: longest) {
      let name = String(calls.map(\.rawValue))
      let facts = await client.load(URLRequest(url: try #require(URL(string: "calls://a/\(name)"))))
      let expected = Self.expected(calls)
      #expect(facts.ends == 1 && facts.late == 0, "\(name)")
      #expect((facts.error as? URLError)?.errorCode == expected.code, "\(name)")
      if expected.code == nil {
        #expect(
          facts.status == expected.status && String(decoding: facts.body, as: UTF8.self) == expected.body, "\(name)")
      }
    }
    await client.close()
  }
}
