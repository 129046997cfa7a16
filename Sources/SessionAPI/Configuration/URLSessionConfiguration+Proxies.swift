// SPDX-License-Identifier: Apache-2.0
import Locking
import URLLoading

/// Keys of `URLSessionConfiguration.connectionProxyDictionary`, with Apple's values. Difference from Apple: they are strings.
public let kCFNetworkProxiesHTTPEnable = "HTTPEnable"
/// The name or address of the proxy for http.
public let kCFNetworkProxiesHTTPProxy = "HTTPProxy"
/// The port of the proxy for http; 80 unless set.
public let kCFNetworkProxiesHTTPPort = "HTTPPort"
/// Whether there is a proxy for https.
public let kCFNetworkProxiesHTTPSEnable = "HTTPSEnable"
/// The name or address of the proxy for https.
public let kCFNetworkProxiesHTTPSProxy = "HTTPSProxy"
/// The port of the proxy for https; 443 unless set.
public let kCFNetworkProxiesHTTPSPort = "HTTPSPort"
/// Whether there is a SOCKS proxy.
public let kCFNetworkProxiesSOCKSEnable = "SOCKSEnable"
/// The name or address of the SOCKS proxy.
public let kCFNetworkProxiesSOCKSProxy = "SOCKSProxy"
/// The port of the SOCKS proxy; 1080 unless set.
public let kCFNetworkProxiesSOCKSPort = "SOCKSPort"
/// Hosts that are reached directly, a list of names.
public let kCFNetworkProxiesExceptionsList = "ExceptionsList"
/// Whether names without a dot are reached directly.
public let kCFNetworkProxiesExcludeSimpleHostnames = "ExcludeSimpleHostnames"

extension URLSessionConfiguration {
  /// Which proxies requests go through, under Apple's keys; nil unless set. An empty dictionary stands for none.
  ///
  /// `HTTPEnable` (1 for on), `HTTPProxy` and `HTTPPort` are for http requests, the same with `HTTPS` for https, which
  /// goes through a tunnel (CONNECT); with `SOCKS` for what has no proxy of its own (version 5, names resolved there).
  /// `ExceptionsList` names hosts that are reached directly: `example.com`, `*.example.com`, `169.254/16`;
  /// `ExcludeSimpleHostnames` stands for all names without a dot.
  ///
  /// nil leaves it to the environment, as a Linux system has no other settings: `http_proxy`, `https_proxy`, `all_proxy`
  /// and `no_proxy`, read when a session is made. This machine itself is never reached through those.
  ///
  /// A proxy that wants to know who is there (407) leads to a challenge whose protection space `isProxy()`. Without an
  /// answer the 407 is the response to an http request; an https one ends with -1013. A proxy that refuses a tunnel or
  /// cannot be reached ends a task with -1004.
  ///
  /// Differences from Apple: scripts that choose proxies (`ProxyAutoConfigURLString`) are kept and have no effect.
  /// Numbers are read back as `Int`, lists as `[String]`.
  public var connectionProxyDictionary: [AnyHashable: Any]? {
    get { values.withLock { $0.proxies }?.dictionary }
    set {
      let proxies = newValue.map { ProxySettings($0) }
      values.withLock { $0.proxies = proxies }
    }
  }
}
