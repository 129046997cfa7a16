// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Transport

/// The meaning of a configuration on the wire. It travels whole to another process that makes the loads, and lies whole in a
/// journal: each property is written under its own name.
///
/// A property that is added later is optional: what an earlier version has written lacks it.
package struct WireSettings: Codable, Equatable, Sendable {
  /// Seconds in which nothing moves before a load fails; for requests that keep their default of 60.
  package var idleTimeout: TimeInterval = 60
  /// Seconds a whole load may take.
  package var totalTimeout: TimeInterval = 604_800
  /// Connections to one host at a time.
  package var connectionsPerHost = 6
  /// Fields for every request that has none of that name.
  package var fields: [String: String] = [:]
  /// The oldest version of TLS that may be spoken, by its number on the wire: TLS 1.2 unless set.
  package var oldestTLS: UInt16 = 0x0303
  /// The newest: TLS 1.3 unless set.
  package var newestTLS: UInt16 = 0x0304
  /// Which requests go through a proxy; nil leaves it to the environment.
  package var proxies: ProxySettings?
  /// Proxies for some hosts, in place of those; nil for none.
  package var proxyChoices: [ProxyChoice]?
  /// Certificate authorities to trust in place of the system's, in PEM.
  package var authorities: Data?

  package init() {}

  /// The versions of TLS that may be spoken.
  var tlsVersions: TLSVersions {
    var versions = TLSVersions()
    (versions.oldest, versions.newest) = (oldestTLS, newestTLS)
    return versions
  }

  /// The same for another process, whose servers see this program: with the fields that every request of this process has,
  /// and with seconds as JSON takes them, which knows neither infinity nor no number.
  package var forAnotherProcess: WireSettings {
    var sent = self
    sent.fields = StandingFields.added(to: fields)
    if !idleTimeout.isFinite { sent.idleTimeout = Self.longestTime }
    if !totalTimeout.isFinite { sent.totalTimeout = Self.longestTime }
    return sent
  }

  /// Seconds: longer than any machine runs.
  package static let longestTime = 1e9
}
