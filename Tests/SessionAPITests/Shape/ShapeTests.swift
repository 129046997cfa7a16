// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI
import Testing

/// Names that programs for Apple's systems use; to compile is half of the test.
@Suite struct ShapeTests {
  @Test func `B.15: what metrics count in is nested in the task's metrics`() {
    let fetched = [URLSessionTaskMetrics.ResourceFetchType.unknown, .networkLoad, .serverPush, .localCache]
    #expect(fetched.map(\.rawValue) == [0, 1, 2, 3])
    let resolved = [URLSessionTaskMetrics.DomainResolutionProtocol.unknown, .udp, .tcp, .tls, .https]
    #expect(resolved.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test func `B.9: the dispositions of a delayed request have Apple's numbers`() {
    let all = [URLSession.DelayedRequestDisposition.continueLoading, .useNewRequest, .cancel]
    #expect(all.map(\.rawValue) == [0, 1, 2])
  }

  @Test func `B.9: the method about better routes can be written and left out`() {
    final class Watcher: NSObject, URLSessionStreamDelegate {
      func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask) {}
    }
    final class Other: NSObject, URLSessionStreamDelegate {}
    let delegates: [any URLSessionStreamDelegate] = [Watcher(), Other()]
    #expect(delegates.count == 2)
  }

  @Test func `A.11: an error tells its reasons`() {
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
