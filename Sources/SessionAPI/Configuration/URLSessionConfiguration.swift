// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
public import URLLoading

/// The properties that all tasks of a session have in common: time-outs, headers, connections.
///
/// A session copies its configuration when it is made; a later change to the object has no effect on it. Thread-safe.
///
/// Difference from Apple: properties that can have no effect on Linux are kept and read back: it has no networks that cost
/// and no services to start a program, and libcurl no such switches.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: the stored properties are locks with all values behind them.
  let values: Locked<LoadConfiguration>
  /// The values that a session has of it, while a recorder listens.
  let settled = Locked<LoadConfiguration?>(nil)

  init(_ values: LoadConfiguration) {
    self.values = Locked(values)
  }

  deinit { tellChangedLate() }

  /// A configuration for subclasses of a test's own: the usual values without stores of cookies and responses.
  @available(*, deprecated, message: "Use URLSessionConfiguration.default or another class property.")
  public override init() {
    values = Locked(LoadConfiguration())
  }

  /// A new configuration with the usual values: 60 s idle, 7 days in all, 6 connections a host, the process's stores
  /// of cookies and responses.
  open class var `default`: URLSessionConfiguration { makeDefault() }

  /// A new configuration that leaves nothing on disk: its stores of cookies, responses and credentials are in memory,
  /// its own, and gone with the last session that uses them. Two configurations never share them; two sessions made from
  /// the same configuration do.
  open class var ephemeral: URLSessionConfiguration { makeEphemeral() }

  /// A new configuration for transfers that another process makes, so that they continue when this one has ended: see
  /// <doc:BackgroundSessions>. Responses are not kept.
  ///
  /// - Parameter identifier: The session's name among those of this user, by which a later process finds its tasks again.
  ///   Not empty: that is a programmer's error and traps.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    makeBackground(identifier)
  }

  /// `background(withIdentifier:)` under its old name.
  @available(*, deprecated, renamed: "background(withIdentifier:)")
  open class func backgroundSessionConfiguration(_ identifier: String) -> URLSessionConfiguration {
    makeBackground(identifier)
  }

  /// A copy with the same values, independent from now on.
  open func copy(with zone: NSZone? = nil) -> Any {
    URLSessionConfiguration(loadConfiguration)
  }

  /// The longest pause between two bytes, either way, in seconds; 60 unless set. Each byte starts it anew; it does not
  /// run while a task is suspended or waits for a connection. A request whose own `timeoutInterval` is not 60 wins.
  open var timeoutIntervalForRequest: TimeInterval {
    get { values.withLock { $0.wire.idleTimeout } }
    set { values.withLock { $0.wire.idleTimeout = newValue } }
  }

  /// The longest time a task may take from its start to its end, in seconds; 7 days unless set.
  open var timeoutIntervalForResource: TimeInterval {
    get { values.withLock { $0.wire.totalTimeout } }
    set { values.withLock { $0.wire.totalTimeout = newValue } }
  }

  /// Headers for every request that does not have them itself; names are compared without regard to case. nil unless
  /// set. A redirect's request has them where the delegate sees it, which may take them away; `Authorization`, `Cookie`,
  /// `Origin` and `Proxy-Authorization` go to no other origin (RFC 9110 section 15.4).
  ///
  /// Difference from Apple: names and values are read back as strings, whatever they were when set.
  open var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { headers }
    set { headers = newValue }
  }

  /// The most connections to one host (scheme, name and port) at a time; 6 unless set. Further tasks wait in line.
  open var httpMaximumConnectionsPerHost: Int {
    get { values.withLock { $0.wire.connectionsPerHost } }
    set { values.withLock { $0.wire.connectionsPerHost = newValue } }
  }

  /// Where credentials are looked for when a server asks, and kept when it has accepted them: `shared` in `default`, an
  /// own one in `ephemeral`. nil for nowhere; then no request carries a credential that an earlier one was asked for.
  ///
  /// The toolchain's storage lives in memory: also a `.permanent` credential ends with the process.
  open var urlCredentialStorage: URLCredentialStorage? {
    get { values.withLock { $0.credentialStorage } }
    set { values.withLock { $0.credentialStorage = newValue } }
  }

  /// Where responses are kept: `URLCache.shared` in a `default` configuration, a private one of 4 MiB in memory in an
  /// `ephemeral` one. nil: nothing is stored, and nothing stored is used.
  ///
  /// The cache keeps a response for each URL, query included, and for each value of the fields that Vary names. It stores
  /// no response that is larger than a twentieth of the cache.
  open var urlCache: URLCache? {
    get { values.withLock { $0.cache } }
    set { values.withLock { $0.cache = newValue } }
  }

  /// How stored responses are used for requests that keep their default of `.useProtocolCachePolicy`, which is also the
  /// default here.
  ///
  /// - `.useProtocolCachePolicy`: RFC 9111. What is fresh is used; what is stale is validated by a conditional request
  ///   first, and after a 304 the delegate sees the stored response with status 200.
  /// - `.reloadIgnoringLocalCacheData`: nothing stored is used; the response may be stored.
  /// - `.reloadIgnoringLocalAndRemoteCacheData`: likewise, and caches on the way are asked for a new response.
  /// - `.returnCacheDataElseLoad`: what is stored is used whatever its age.
  /// - `.returnCacheDataDontLoad`: likewise, and without it the task ends with -1008.
  /// - `.reloadRevalidatingCacheData`: what is stored is used once the server has confirmed it.
  ///
  /// A request with a Range, a condition or an Authorization field of its own goes past the cache.
  open var requestCachePolicy: NSURLRequest.CachePolicy {
    get { values.withLock { $0.cachePolicy } }
    set { values.withLock { $0.cachePolicy = newValue } }
  }

  /// True if a task that finds no network which leads to its server waits until the machine's network changes, and then
  /// tries again, in place of ending with -1009; false unless set. The idle time-out does not run meanwhile, that of the
  /// resource does.
  ///
  /// Difference from Apple: a name that cannot be resolved ends the task with -1003 at once, because the system does not
  /// say whether the name or the network is missing.
  open var waitsForConnectivity: Bool {
    get { values.withLock { $0.waitsForConnectivity } }
    set { values.withLock { $0.waitsForConnectivity = newValue } }
  }

  // MARK: Cookies

  /// Where cookies are kept: `HTTPCookieStorage.shared` in a `default` configuration, a private one in memory in an
  /// `ephemeral` one. nil: no cookies are sent or kept.
  open var httpCookieStorage: HTTPCookieStorage? {
    get { values.withLock { $0.cookieStorage } }
    set { values.withLock { $0.cookieStorage = newValue } }
  }

  /// Which responses may set cookies; `.onlyFromMainDocumentDomain` unless set. It overrides the store's own policy,
  /// except that a store whose policy is `.never` takes none.
  ///
  /// With `.onlyFromMainDocumentDomain` a request that names a `mainDocumentURL` gets cookies from that document's host
  /// and the domains it lies in alone; without one every response may set some.
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { values.withLock { $0.cookieAcceptPolicy } ?? .onlyFromMainDocumentDomain }
    set { values.withLock { $0.cookieAcceptPolicy = newValue } }
  }

  /// True if stored cookies go with requests; true unless set. Where false a program writes the Cookie field itself.
  /// Responses set cookies either way.
  open var httpShouldSetCookies: Bool {
    get { values.withLock { $0.sendsCookies } }
    set { values.withLock { $0.sendsCookies = newValue } }
  }

  /// The program's own subclasses of `URLProtocol`, also of the toolchain's, whose `task` is nil. Each is asked, in this order,
  /// whether it wants a request: the first one, and those that redirects lead to. Empty unless set, where Apple's lists the
  /// system's own; nil stands for none. Other classes are left out, and a background session asks none.
  ///
  /// Classes given to `URLProtocol.registerClass(_:)` are asked by `URLSession.shared` alone.
  open var protocolClasses: [AnyClass]? {
    get { answeringClasses }
    set { answeringClasses = newValue }
  }

  // MARK: Proxies

  /// Which proxies requests go through, under Apple's keys; nil unless set. An empty dictionary stands for none.
  ///
  /// The keys are those for HTTP, HTTPS and SOCKS; <doc:URLSessionConfiguration#Proxies> lists them. nil leaves it to the
  /// environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read when a session is made. A proxy that is named
  /// and cannot be used, such as one of another scheme, ends the loads that would go through it with -1004.
  open var connectionProxyDictionary: [AnyHashable: Any]? {
    get { proxies }
    set { proxies = newValue }
  }

  /// Proxies for some hosts or for all, in place of `connectionProxyDictionary` and the environment; empty unless set. Of
  /// those that are for a request's host the first is its proxy, and a request that none is for goes directly.
  /// <doc:URLSessionConfiguration#Proxies> has more. Background sessions use them, too.
  open var proxyConfigurations: [ProxyConfiguration] {
    get { (values.withLock { $0.wire.proxyChoices } ?? []).map(ProxyConfiguration.init(choice:)) }
    set {
      let choices = newValue.map(\.choice)
      values.withLock { $0.wire.proxyChoices = choices.isEmpty ? nil : choices }
    }
  }

  // MARK: TLS

  /// The oldest version; TLS 1.2 unless set. Older ones need a system whose OpenSSL still speaks them, which that of
  /// current distributions does not. The versions over datagrams limit nothing.
  open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { tls_protocol_version_t(rawValue: values.withLock { $0.wire.oldestTLS }) ?? .TLSv12 }
    set { values.withLock { $0.wire.oldestTLS = newValue.rawValue } }
  }

  /// The newest version; TLS 1.3 unless set. One older than the minimum leaves none. A server that speaks none of the wanted
  /// versions ends a task with -1200.
  open var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
    get { tls_protocol_version_t(rawValue: values.withLock { $0.wire.newestTLS }) ?? .TLSv13 }
    set { values.withLock { $0.wire.newestTLS = newValue.rawValue } }
  }

  /// The oldest version under its old name.
  @available(*, deprecated, renamed: "tlsMinimumSupportedProtocolVersion")
  open var tlsMinimumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMinimumSupportedProtocolVersion) }
    set { tlsMinimumSupportedProtocolVersion = newValue.version ?? .TLSv12 }
  }

  /// The newest version under its old name.
  @available(*, deprecated, renamed: "tlsMaximumSupportedProtocolVersion")
  open var tlsMaximumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMaximumSupportedProtocolVersion) }
    set { tlsMaximumSupportedProtocolVersion = newValue.version ?? .TLSv13 }
  }

  // MARK: Kept without effect

  /// The identifier that `background(withIdentifier:)` was given; nil in other configurations.
  open var identifier: String? { self[\.identifier] }

  /// The purpose of the traffic; `.default` unless set. No effect.
  open var networkServiceType: NSURLRequest.NetworkServiceType {
    get { self[\.networkServiceType] }
    set { self[\.networkServiceType] = newValue }
  }

  /// True if tasks may use cellular networks; true unless set. No effect.
  open var allowsCellularAccess: Bool {
    get { self[\.allowsCellularAccess] }
    set { self[\.allowsCellularAccess] = newValue }
  }

  /// True if tasks may use networks that cost; true unless set. No effect.
  open var allowsExpensiveNetworkAccess: Bool {
    get { self[\.allowsExpensiveNetworkAccess] }
    set { self[\.allowsExpensiveNetworkAccess] = newValue }
  }

  /// True if tasks may use networks in a mode that saves data; true unless set. No effect.
  open var allowsConstrainedNetworkAccess: Bool {
    get { self[\.allowsConstrainedNetworkAccess] }
    set { self[\.allowsConstrainedNetworkAccess] = newValue }
  }

  /// True if tasks may use satellites; false unless set. No effect.
  open var allowsUltraConstrainedNetworkAccess: Bool {
    get { self[\.allowsUltraConstrainedNetworkAccess] }
    set { self[\.allowsUltraConstrainedNetworkAccess] = newValue }
  }

  /// True if the system may choose when background tasks run; false unless set. No effect.
  open var isDiscretionary: Bool {
    get { self[\.isDiscretionary] }
    set { self[\.isDiscretionary] = newValue }
  }

  /// The container for files of background tasks; nil unless set. No effect.
  open var sharedContainerIdentifier: String? {
    get { self[\.sharedContainerIdentifier] }
    set { self[\.sharedContainerIdentifier] = newValue }
  }

  /// True if the program is started again when all tasks of a background session have ended and it is not there: its
  /// executable, with its arguments, in its folder. False in background configurations unless set, true and without effect in
  /// others.
  ///
  /// Difference from Apple: true there in background configurations, too. Here a program that a person has ended in a
  /// terminal would come again.
  open var sessionSendsLaunchEvents: Bool {
    get { self[\.sessionSendsLaunchEvents] }
    set { self[\.sessionSendsLaunchEvents] = newValue }
  }

  /// True if requests are sent before earlier ones are answered; false unless set. No effect: it never happens.
  open var httpShouldUsePipelining: Bool {
    get { self[\.httpShouldUsePipelining] }
    set { self[\.httpShouldUsePipelining] = newValue }
  }

  /// True if connections stay open when the program moves to the background; false unless set. No effect.
  open var shouldUseExtendedBackgroundIdleMode: Bool {
    get { self[\.shouldUseExtendedBackgroundIdleMode] }
    set { self[\.shouldUseExtendedBackgroundIdleMode] = newValue }
  }

  /// How connections to several networks at once are used; `.none` unless set. No effect.
  open var multipathServiceType: MultipathServiceType {
    get { MultipathServiceType(rawValue: self[\.multipathServiceType]) ?? .none }
    set { self[\.multipathServiceType] = newValue.rawValue }
  }

  /// True if names are resolved with DNSSEC; false unless set. No effect.
  open var requiresDNSSECValidation: Bool {
    get { self[\.requiresDNSSECValidation] }
    set { self[\.requiresDNSSECValidation] = newValue }
  }

  /// Which of Apple's loaders is used; true unless set. No effect: there is this one.
  open var usesClassicLoadingMode: Bool {
    get { self[\.usesClassicLoadingMode] }
    set { self[\.usesClassicLoadingMode] = newValue }
  }

  /// True if requests may go out before the TLS handshake has ended; false unless set. No effect: they never do.
  open var enablesEarlyData: Bool {
    get { self[\.enablesEarlyData] }
    set { self[\.enablesEarlyData] = newValue }
  }
}
