// SPDX-License-Identifier: Apache-2.0
import Locking
public import URLLoading

/// Properties of Apple's that are kept and read back here, and have no effect: Linux has no networks that cost, no
/// services to start a program, and libcurl no such switches.
extension URLSessionConfiguration {
  /// How a connection to several networks at once is used.
  public enum MultipathServiceType: Int, Sendable {
    /// It is not.
    case none = 0
    /// When one network is lost.
    case handover = 1
    /// When one network is slow.
    case interactive = 2
    /// To be faster.
    case aggregate = 3
  }

  /// nil: there are no background sessions.
  public var identifier: String? { nil }

  /// What the traffic is for; `.default` unless set. No effect.
  public var networkServiceType: NSURLRequest.NetworkServiceType {
    get { kept("networkServiceType", or: .default) }
    set { keep("networkServiceType", newValue) }
  }

  /// Whether tasks may use cellular networks; true unless set. No effect.
  public var allowsCellularAccess: Bool {
    get { kept("allowsCellularAccess", or: true) }
    set { keep("allowsCellularAccess", newValue) }
  }

  /// Whether tasks may use networks that cost; true unless set. No effect.
  public var allowsExpensiveNetworkAccess: Bool {
    get { kept("allowsExpensiveNetworkAccess", or: true) }
    set { keep("allowsExpensiveNetworkAccess", newValue) }
  }

  /// Whether tasks may use networks in a mode that saves data; true unless set. No effect.
  public var allowsConstrainedNetworkAccess: Bool {
    get { kept("allowsConstrainedNetworkAccess", or: true) }
    set { keep("allowsConstrainedNetworkAccess", newValue) }
  }

  /// Whether tasks may use satellites; false unless set. No effect.
  public var allowsUltraConstrainedNetworkAccess: Bool {
    get { kept("allowsUltraConstrainedNetworkAccess", or: false) }
    set { keep("allowsUltraConstrainedNetworkAccess", newValue) }
  }

  /// Whether the system may choose when background tasks run; false unless set. No effect.
  public var isDiscretionary: Bool {
    get { kept("isDiscretionary", or: false) }
    set { keep("isDiscretionary", newValue) }
  }

  /// The container for files of background tasks; nil unless set. No effect.
  public var sharedContainerIdentifier: String? {
    get { kept("sharedContainerIdentifier", or: nil) }
    set { keep("sharedContainerIdentifier", newValue) }
  }

  /// Whether the program is started when background tasks end; true unless set. No effect.
  public var sessionSendsLaunchEvents: Bool {
    get { kept("sessionSendsLaunchEvents", or: true) }
    set { keep("sessionSendsLaunchEvents", newValue) }
  }

  /// Whether requests are sent before earlier ones are answered; false unless set. No effect: it never happens.
  public var httpShouldUsePipelining: Bool {
    get { kept("httpShouldUsePipelining", or: false) }
    set { keep("httpShouldUsePipelining", newValue) }
  }

  /// Whether connections stay open when the program moves to the background; false unless set. No effect.
  public var shouldUseExtendedBackgroundIdleMode: Bool {
    get { kept("shouldUseExtendedBackgroundIdleMode", or: false) }
    set { keep("shouldUseExtendedBackgroundIdleMode", newValue) }
  }

  /// How connections to several networks at once are used; `.none` unless set. No effect.
  public var multipathServiceType: MultipathServiceType {
    get { kept("multipathServiceType", or: .none) }
    set { keep("multipathServiceType", newValue) }
  }

  /// Whether names are resolved with DNSSEC; false unless set. No effect.
  public var requiresDNSSECValidation: Bool {
    get { kept("requiresDNSSECValidation", or: false) }
    set { keep("requiresDNSSECValidation", newValue) }
  }

  /// Which of Apple's loaders is used; true unless set. No effect: there is this one.
  public var usesClassicLoadingMode: Bool {
    get { kept("usesClassicLoadingMode", or: true) }
    set { keep("usesClassicLoadingMode", newValue) }
  }

  /// Whether requests may go out before the TLS handshake has ended; false unless set. No effect: they never do.
  public var enablesEarlyData: Bool {
    get { kept("enablesEarlyData", or: false) }
    set { keep("enablesEarlyData", newValue) }
  }

  private func kept<Value: Sendable>(_ name: String, or usual: Value) -> Value {
    values.withLock { $0.kept[name] } as? Value ?? usual
  }

  private func keep(_ name: String, _ value: some Sendable) {
    values.withLock { $0.kept[name] = value }
  }
}
