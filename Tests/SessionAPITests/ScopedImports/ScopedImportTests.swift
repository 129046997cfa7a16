// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

import class SessionAPI.CachedURLResponse
import class SessionAPI.HTTPCookie
import struct SessionAPI.HTTPCookiePropertyKey
import class SessionAPI.HTTPCookieStorage
import class SessionAPI.HTTPURLResponse
import class SessionAPI.NSMutableURLRequest
import let SessionAPI.NSURLAuthenticationMethodDefault
import let SessionAPI.NSURLAuthenticationMethodHTMLForm
import let SessionAPI.NSURLAuthenticationMethodHTTPBasic
import let SessionAPI.NSURLAuthenticationMethodHTTPDigest
import let SessionAPI.NSURLAuthenticationMethodNTLM
import let SessionAPI.NSURLAuthenticationMethodNegotiate
import let SessionAPI.NSURLCredentialStorageRemoveSynchronizableCredentials
import let SessionAPI.NSURLProtectionSpaceFTP
import let SessionAPI.NSURLProtectionSpaceFTPProxy
import let SessionAPI.NSURLProtectionSpaceHTTP
import let SessionAPI.NSURLProtectionSpaceHTTPProxy
import let SessionAPI.NSURLProtectionSpaceHTTPS
import let SessionAPI.NSURLProtectionSpaceHTTPSProxy
import let SessionAPI.NSURLProtectionSpaceSOCKSProxy
import class SessionAPI.NSURLRequest
import class SessionAPI.URLAuthenticationChallenge
import protocol SessionAPI.URLAuthenticationChallengeSender
import class SessionAPI.URLCache
import class SessionAPI.URLCredential
import class SessionAPI.URLCredentialStorage
import class SessionAPI.URLProtectionSpace
import class SessionAPI.URLProtocol
import protocol SessionAPI.URLProtocolClient
import struct SessionAPI.URLRequest
import class SessionAPI.URLResponse
import class SessionAPI.URLSession
import class SessionAPI.URLSessionConfiguration
import class SessionAPI.URLSessionTask

/// A protocol of a program that imports nothing but single types.
private final class Scoped: URLProtocol {
  override class func canInit(with task: URLSessionTask) -> Bool { task.originalRequest?.url?.scheme == "scoped" }

  override func startLoading() {
    guard let url = request.url else { return }
    let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
    if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// This file compiles: each type that the module re-exports has one meaning in a scoped import.
@Suite struct ScopedImportTests {
  @Test func `scoped imports name the types that the module works with`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Scoped.self]
    let (storage, cache): (HTTPCookieStorage?, URLCache?) = (configuration.httpCookieStorage, configuration.urlCache)
    let credentials: URLCredentialStorage? = configuration.urlCredentialStorage
    #expect(storage != nil && cache != nil && credentials != nil)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let request: URLRequest = [URLRequest](
      repeating: URLRequest(url: try #require(URL(string: "scoped://a/"))), count: 1)[0]
    let answer: (Data, URLResponse) = try await session.data(for: request)
    #expect((answer.1 as? HTTPURLResponse)?.statusCode == 200 && answer.0.isEmpty)
    let space = URLProtectionSpace(
      host: "a", port: 1, protocol: NSURLProtectionSpaceHTTP, realm: nil,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    #expect(space.host == "a")
  }

  @Test func `every other type has one meaning, too`() {
    let types: [Any.Type] = [
      CachedURLResponse.self, HTTPCookie.self, HTTPCookiePropertyKey.self, NSMutableURLRequest.self, NSURLRequest.self,
      URLAuthenticationChallenge.self, (any URLAuthenticationChallengeSender).self, URLCredential.self,
      (any URLProtocolClient).self,
    ]
    #expect(types.count == 9)
  }
}
