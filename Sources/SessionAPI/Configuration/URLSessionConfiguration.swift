// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
public import URLLoading

/// What all tasks of a session have in common: time-outs, headers, connections.
///
/// A session copies its configuration when it is made; a later change to the object has no effect on it. Thread-safe.
///
/// Difference from Apple: background sessions are absent. Properties that can have no effect on Linux are kept and read
/// back.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: the only stored property is a lock with all values behind it.
  let values: Locked<LoadConfiguration>

  init(_ values: LoadConfiguration) {
    self.values = Locked(values)
  }

  /// A new configuration with the usual values: 60 s idle, 7 days in all, 6 connections a host, the process's stores
  /// of cookies and responses.
  open class var `default`: URLSessionConfiguration {
    var values = LoadConfiguration()
    values.cookieStorage = CookieFile.shared
    values.cache = .shared
    values.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    return URLSessionConfiguration(values)
  }

  /// A new configuration that leaves nothing on disk: its stores of cookies, responses and credentials are in memory,
  /// its own, and gone with the last session that uses them. Two configurations never share them; two sessions made from
  /// the same configuration do.
  open class var ephemeral: URLSessionConfiguration {
    var values = LoadConfiguration()
    values.cookieStorage = PrivateStores.makeCookieStorage()
    values.cache = PrivateStores.makeCache()
    values.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    values.credentialStorage = URLCredentialStorage()
    return URLSessionConfiguration(values)
  }

  /// A copy with the same values, independent from now on.
  open func copy(with zone: NSZone? = nil) -> Any {
    URLSessionConfiguration(loadConfiguration)
  }

  /// The longest pause between two bytes, either way, in seconds; 60 unless set. Each byte starts it anew; it does not
  /// run while a task is suspended or waits for a connection. A request whose own `timeoutInterval` is not 60 wins.
  open var timeoutIntervalForRequest: TimeInterval {
    get { values.withLock { $0.idleTimeout } }
    set { values.withLock { $0.idleTimeout = newValue } }
  }

  /// The longest time a task may take from its start to its end, in seconds; 7 days unless set.
  open var timeoutIntervalForResource: TimeInterval {
    get { values.withLock { $0.totalTimeout } }
    set { values.withLock { $0.totalTimeout = newValue } }
  }

  /// Headers for every request that does not have them itself; names are compared without regard to case. nil unless
  /// set.
  ///
  /// Difference from Apple: names and values are read back as strings, whatever they were when set.
  open var httpAdditionalHeaders: [AnyHashable: Any]? {
    get {
      let headers = values.withLock { $0.additionalHeaders }
      return headers.isEmpty ? nil : headers
    }
    set {
      let headers = (newValue ?? [:]).map { ("\($0.key.base)", "\($0.value)") }
      let additional = Dictionary(headers) { _, last in last }
      values.withLock { $0.additionalHeaders = additional }
    }
  }

  /// The most connections to one host (scheme, name and port) at a time; 6 unless set. Further tasks wait in line.
  open var httpMaximumConnectionsPerHost: Int {
    get { values.withLock { $0.connectionsPerHost } }
    set { values.withLock { $0.connectionsPerHost = newValue } }
  }

  /// Where credentials are looked for when a server asks, and kept when it has accepted them: `shared` in `default`, an
  /// own one in `ephemeral`. nil for nowhere; then no request carries a credential that an earlier one was asked for.
  ///
  /// The toolchain's storage lives in memory: also a `.permanent` credential ends with the process.
  open var urlCredentialStorage: URLCredentialStorage? {
    get { values.withLock { $0.credentialStorage } }
    set { values.withLock { $0.credentialStorage = newValue } }
  }

  /// What the loads of a session need to know.
  var loadConfiguration: LoadConfiguration { values.withLock { $0 } }
}
