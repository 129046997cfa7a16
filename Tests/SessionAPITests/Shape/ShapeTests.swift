// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI
import TestSupport
import Testing

/// Names that programs for Apple's systems use; to compile is half of the test.
@Suite struct ShapeTests {
  @Test func `what metrics count in is nested in the task's metrics (B.15)`() {
    let fetched = [URLSessionTaskMetrics.ResourceFetchType.unknown, .networkLoad, .serverPush, .localCache]
    #expect(fetched.map(\.rawValue) == [0, 1, 2, 3])
    let resolved = [URLSessionTaskMetrics.DomainResolutionProtocol.unknown, .udp, .tcp, .tls, .https]
    #expect(resolved.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test func `the dispositions of a delayed request have Apple's numbers (B.9)`() {
    let all = [URLSession.DelayedRequestDisposition.continueLoading, .useNewRequest, .cancel]
    #expect(all.map(\.rawValue) == [0, 1, 2])
  }

  @Test func `the method about better routes can be written and left out (B.9)`() {
    final class Watcher: NSObject, URLSessionStreamDelegate {
      func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask) {}
    }
    final class Other: NSObject, URLSessionStreamDelegate {}
    let delegates: [any URLSessionStreamDelegate] = [Watcher(), Other()]
    #expect(delegates.count == 2)
  }

  @Test func `a cache has its files in the folder it is given (A.9)`() throws {
    let directory = try TestDirectory()
    let folder = directory.url.appending(path: "cache")
    let cache = URLCache(memoryCapacity: 0, diskCapacity: 10 << 20, directory: folder)
    let url = try #require(URL(string: "http://a.example/"))
    let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    cache.storeCachedResponse(CachedURLResponse(response: response, data: Data([1])), for: URLRequest(url: url))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2, "the response, and the index")
    #expect(cache.cachedResponse(for: URLRequest(url: url))?.data == Data([1]))
  }

  @Test func `what the toolchain's classes have no place for reads as the default`() throws {
    let url = try #require(URL(string: "http://a.example/"))
    let properties: [HTTPCookiePropertyKey: Any] = [
      .name: "a", .value: "1", .domain: "a.example", .path: "/", .sameSitePolicy: HTTPCookieStringPolicy.sameSiteLax,
    ]
    #expect(try #require(HTTPCookie(properties: properties)).sameSitePolicy == nil)
    #expect(HTTPCookieStringPolicy.sameSiteStrict.rawValue == "strict")
    let request = NSMutableURLRequest(url: url)
    request.allowsExpensiveNetworkAccess = false
    request.allowsConstrainedNetworkAccess = false
    (request.assumesHTTP3Capable, request.requiresDNSSECValidation) = (true, true)
    #expect(request.allowsExpensiveNetworkAccess && request.allowsConstrainedNetworkAccess)
    #expect(!request.assumesHTTP3Capable && !request.requiresDNSSECValidation)
    let login = URLCredential(user: "a", password: "b", persistence: .none)
    #expect(login.identity == nil && login.certificates.isEmpty)
  }

  @Test func `an error tells its reasons (A.11)`() {
    let plain = URLError(.notConnectedToInternet)
    #expect((plain.networkUnavailableReason, plain.backgroundTaskCancelledReason) == (nil, nil))
    #expect(plain.failureURLPeerTrust == nil)
    let told = URLError(
      .notConnectedToInternet,
      userInfo: [
        NSURLErrorNetworkUnavailableReasonKey: URLError.NetworkUnavailableReason.constrained.rawValue,
        NSURLErrorBackgroundTaskCancelledReasonKey: 1,
      ])
    #expect(told.networkUnavailableReason == .constrained)
    #expect(told.backgroundTaskCancelledReason == .backgroundUpdatesDisabled)
  }

  @Test func `a request's properties about networks compile and read as Apple's defaults`() throws {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
    (request.allowsExpensiveNetworkAccess, request.allowsConstrainedNetworkAccess) = (false, false)
    (request.assumesHTTP3Capable, request.requiresDNSSECValidation) = (true, true)
    #expect((request.allowsExpensiveNetworkAccess, request.allowsConstrainedNetworkAccess) == (true, true))
    #expect((request.assumesHTTP3Capable, request.requiresDNSSECValidation) == (false, false))
  }

  @Test func `the cookies' notification about the policy has Apple's name`() {
    let name = Notification.Name.NSHTTPCookieManagerAcceptPolicyChanged
    #expect(name.rawValue == "NSHTTPCookieManagerAcceptPolicyChangedNotification")
  }
}
