// SPDX-License-Identifier: Apache-2.0

/// Keys of `URLSessionConfiguration.connectionProxyDictionary`, with Apple's values. Difference from Apple: they are strings.
public let kCFNetworkProxiesHTTPEnable = "HTTPEnable"
/// The name or address of the proxy for http.
public let kCFNetworkProxiesHTTPProxy = "HTTPProxy"
/// The port of the proxy for http; 80 unless set.
public let kCFNetworkProxiesHTTPPort = "HTTPPort"
/// True if there is a proxy for https.
public let kCFNetworkProxiesHTTPSEnable = "HTTPSEnable"
/// The name or address of the proxy for https.
public let kCFNetworkProxiesHTTPSProxy = "HTTPSProxy"
/// The port of the proxy for https; 443 unless set.
public let kCFNetworkProxiesHTTPSPort = "HTTPSPort"
/// True if there is a SOCKS proxy.
public let kCFNetworkProxiesSOCKSEnable = "SOCKSEnable"
/// The name or address of the SOCKS proxy.
public let kCFNetworkProxiesSOCKSProxy = "SOCKSProxy"
/// The port of the SOCKS proxy; 1080 unless set.
public let kCFNetworkProxiesSOCKSPort = "SOCKSPort"
/// Hosts that are reached directly, a list of names.
public let kCFNetworkProxiesExceptionsList = "ExceptionsList"
/// True if names without a dot are reached directly.
public let kCFNetworkProxiesExcludeSimpleHostnames = "ExcludeSimpleHostnames"
/// The user name at every proxy of the dictionary, offered when one asks.
public let kCFProxyUsernameKey = "kCFProxyUsernameKey"
/// The password at every proxy of the dictionary.
public let kCFProxyPasswordKey = "kCFProxyPasswordKey"
