// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Transport

/// What the loads of one session, or all NSURLConnections, have in common.
package struct LoadConfiguration: Sendable {
  /// Seconds in which nothing moves before a load fails; for requests that keep their default of 60.
  package var idleTimeout: TimeInterval = 60
  /// Seconds a whole load may take.
  package var totalTimeout: TimeInterval = 604_800
  /// Connections to one host at a time.
  package var connectionsPerHost = 6
  /// Fields for every request that has none of that name.
  package var additionalHeaders: [String: String] = [:]
  /// Certificate authorities to trust in place of the system's, in PEM.
  package var authorities: Data?

  /// Apple's defaults.
  package init() {}
}

/// Loads that share connections.
package final class LoadContext: Sendable {
  package let configuration: LoadConfiguration
  let transport: Transport

  /// A context with connections of its own.
  package init(_ configuration: LoadConfiguration) {
    self.configuration = configuration
    transport = Transport(
      connectionsPerHost: configuration.connectionsPerHost, authorities: configuration.authorities.map(Array.init))
  }

  /// Cancels what is left and closes all connections; each load hears its end.
  package func invalidate() {
    transport.shutdown()
  }
}
