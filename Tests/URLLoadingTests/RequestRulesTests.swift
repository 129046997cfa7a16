// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

@Suite struct RequestRulesTests {
  private func exchange(
    _ configuration: LoadConfiguration = LoadConfiguration(), _ change: (inout URLRequest) -> Void
  ) throws -> TransferRequest {
    var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
    change(&request)
    return try RequestRules.transferRequest(
      for: request, body: nil, adding: configuration.wire.fields, configuration: configuration)
  }

  @Test(arguments: [(60.0, 60.0), (0, 60), (-1, 60), (.nan, 60), (0.5, 0.5), (3600, 3600)])
  func `a time-out that is none counts as the default (A.10)`(own: Double, idle: Double) throws {
    #expect(try exchange { $0.timeoutInterval = own }.idleTimeout == .seconds(idle))
  }

  @Test func `where the request keeps its default the configuration's counts (A.10)`() throws {
    var configuration = LoadConfiguration()
    configuration.wire.idleTimeout = 7
    #expect(try exchange(configuration) { _ in }.idleTimeout == .seconds(7))
    #expect(try exchange(configuration) { $0.timeoutInterval = 9 }.idleTimeout == .seconds(9))
    configuration.wire.idleTimeout = 0
    #expect(try exchange(configuration) { _ in }.idleTimeout == nil)
    for endless in [Double.infinity, .greatestFiniteMagnitude, 1e19] {
      #expect(try exchange { $0.timeoutInterval = endless }.idleTimeout == nil)
    }
  }

  @Test func `a range goes out without coding, unless the program says otherwise (CE-07)`() throws {
    let part = try exchange { $0.setValue("bytes=5-", forHTTPHeaderField: "range") }
    #expect(!part.decodesContent)
    #expect(part.fields.contains(HeaderField(name: "Accept-Encoding", value: "identity")))
    let own = try exchange {
      $0.setValue("bytes=5-", forHTTPHeaderField: "Range")
      $0.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
    }
    #expect(own.fields.filter { $0.name == "Accept-Encoding" }.map(\.value) == ["gzip"])
    #expect(try exchange { _ in }.decodesContent)
  }

  private func exchange(_ method: String, body: TransferBody?) throws -> TransferRequest {
    var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
    request.httpMethod = method
    return try RequestRules.transferRequest(for: request, body: body, configuration: LoadConfiguration())
  }

  @Test(arguments: [nil, .bytes(Data())] as [TransferBody?])
  func `a body without bytes is none, and has no type (B.6)`(body: TransferBody?) throws {
    let post = try exchange("POST", body: body)
    #expect(!post.fields.contains { $0.isNamed("content-type") })
    guard case .bytes(let sent) = post.body, sent.isEmpty else {
      Issue.record("A POST says that it has no content.")
      return
    }
    guard case .none = try exchange("GET", body: body).body else {
      Issue.record("A GET has no body.")
      return
    }
  }

  @Test func `what cannot be asked for has Apple's codes and words (B.12)`() throws {
    let tooMuch = #expect(throws: URLError.self) { try exchange("GET", body: .bytes(Data([1]))) }
    #expect(tooMuch?.code == .dataLengthExceedsMaximum)
    #expect(tooMuch?.localizedDescription == "resource exceeds maximum size")
    let nowhere = #expect(throws: URLError.self) { try exchange { $0.url = nil } }
    #expect(nowhere?.code == .unsupportedURL)
    #expect(nowhere?.localizedDescription.hasPrefix("unsupported URL") == true)
  }

  @Test func `a value with a control character other than HTAB is not sent (B.12)`() throws {
    for byte in UInt8(0)...127 where byte < 32 || byte == 127 {
      let value = "a" + String(Unicode.Scalar(byte)) + "b"
      let isHTAB = byte == 9
      #expect(HeaderField(name: "X", value: value).isSendable == isHTAB, "\(byte)")
    }
    #expect(HeaderField(name: "X", value: "\u{80}\u{FF} ~").isSendable)
  }
}
