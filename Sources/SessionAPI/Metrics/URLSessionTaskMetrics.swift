// SPDX-License-Identifier: Apache-2.0
public import Foundation
import URLLoading

/// The measurements of a task, from its making to its completion.
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.

  /// Where a response came from.
  public enum ResourceFetchType: Int, Sendable {
    /// Nowhere: no response arrived.
    case unknown = 0
    /// The network.
    case networkLoad = 1
    /// The server sent it unasked; never here.
    case serverPush = 2
    /// The cache.
    case localCache = 3
  }

  /// How a name was resolved.
  public enum DomainResolutionProtocol: Int, Sendable {
    /// Unknown: the system resolves names.
    case unknown = 0
    /// Over UDP.
    case udp = 1
    /// Over TCP.
    case tcp = 2
    /// Over TLS.
    case tls = 3
    /// Over HTTPS.
    case https = 4
  }

  /// One for each request that was sent, in order: for each redirect, each challenge and each repetition.
  public let transactionMetrics: [URLSessionTaskTransactionMetrics]
  /// From the making of the task, which may be long before its first `resume()`, to its completion.
  public let taskInterval: DateInterval
  /// How many redirects there were.
  public let redirectCount: Int

  init(_ end: LoadEnd, since creation: Date, _ instant: ContinuousClock.Instant) {
    transactionMetrics = end.exchanges.map(URLSessionTaskTransactionMetrics.init)
    // Somebody may have set the clock meanwhile: how long it took is read off the steady one.
    taskInterval = DateInterval(start: creation, duration: (ContinuousClock.now - instant) / .seconds(1))
    redirectCount = end.redirectCount
  }
}
