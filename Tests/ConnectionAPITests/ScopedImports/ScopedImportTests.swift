// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

import class ConnectionAPI.CachedURLResponse
import class ConnectionAPI.HTTPCookie
import struct ConnectionAPI.HTTPCookiePropertyKey
import class ConnectionAPI.HTTPCookieStorage
import class ConnectionAPI.HTTPURLResponse
import class ConnectionAPI.NSMutableURLRequest
import let ConnectionAPI.NSURLAuthenticationMethodDefault
import let ConnectionAPI.NSURLAuthenticationMethodHTMLForm
import let ConnectionAPI.NSURLAuthenticationMethodHTTPBasic
import let ConnectionAPI.NSURLAuthenticationMethodHTTPDigest
import let ConnectionAPI.NSURLAuthenticationMethodNTLM
import let ConnectionAPI.NSURLAuthenticationMethodNegotiate
import class ConnectionAPI.NSURLConnection
import let ConnectionAPI.NSURLCredentialStorageRemoveSynchronizableCredentials
import let ConnectionAPI.NSURLProtectionSpaceFTP
import let ConnectionAPI.NSURLProtectionSpaceFTPProxy
import let ConnectionAPI.NSURLProtectionSpaceHTTP
import let ConnectionAPI.NSURLProtectionSpaceHTTPProxy
import let ConnectionAPI.NSURLProtectionSpaceHTTPS
import let ConnectionAPI.NSURLProtectionSpaceHTTPSProxy
import let ConnectionAPI.NSURLProtectionSpaceSOCKSProxy
import class ConnectionAPI.NSURLRequest
import class ConnectionAPI.URLAuthenticationChallenge
import protocol ConnectionAPI.URLAuthenticationChallengeSender
import class ConnectionAPI.URLCache
import class ConnectionAPI.URLCredential
import class ConnectionAPI.URLCredentialStorage
import class ConnectionAPI.URLProtectionSpace
import class ConnectionAPI.URLProtocol
import protocol ConnectionAPI.URLProtocolClient
import struct ConnectionAPI.URLRequest
import class ConnectionAPI.URLResponse

/// A protocol of a program that imports nothing but single types.
private final class Scoped: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "scoped" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url else { return }
    let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
    if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// This file compiles: each type that the module re-exports has one meaning in a scoped import.
@Suite struct ScopedImportTests {
  @Test func `scoped imports name the types that the module works with`() async throws {
    #expect(URLProtocol.registerClass(Scoped.self))
    defer { URLProtocol.unregisterClass(Scoped.self) }
    let request: URLRequest = [URLRequest](
      repeating: URLRequest(url: try #require(URL(string: "scoped://a/"))), count: 1)[0]
    let answer: (URLResponse, Data) = try await NSURLConnection.sendAsynchronousRequest(
      request, queue: OperationQueue())
    #expect((answer.0 as? HTTPURLResponse)?.statusCode == 200 && answer.1.isEmpty)
    let space = URLProtectionSpace(
      host: "a", port: 1, protocol: NSURLProtectionSpaceHTTP, realm: nil,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    #expect(space.host == "a")
  }

  @Test func `every other type has one meaning, too`() {
    let types: [Any.Type] = [
      CachedURLResponse.self, HTTPCookie.self, HTTPCookiePropertyKey.self, HTTPCookieStorage.self,
      NSMutableURLRequest.self, NSURLRequest.self, URLAuthenticationChallenge.self,
      (any URLAuthenticationChallengeSender).self, URLCache.self, URLCredential.self, URLCredentialStorage.self,
      (any URLProtocolClient).self,
    ]
    #expect(types.count == 12)
  }
}
