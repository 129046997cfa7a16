// SPDX-License-Identifier: Apache-2.0
// Types of the toolchain under names of this module's own. `import URLLoading` brings them along already, but Foundation has
// placeholders of the same names, so that `import class SessionAPI.URLResponse` would find two; a name that the module itself
// declares is found first, and alone.
public import FoundationNetworking

/// A response as a cache keeps it.
public typealias CachedURLResponse = FoundationNetworking.CachedURLResponse
/// One cookie.
public typealias HTTPCookie = FoundationNetworking.HTTPCookie
/// The name of one of a cookie's properties.
public typealias HTTPCookiePropertyKey = FoundationNetworking.HTTPCookiePropertyKey
/// A store of cookies.
public typealias HTTPCookieStorage = URLLoading.HTTPCookieStorage
/// A response over HTTP.
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
/// A request that changes in place.
public typealias NSMutableURLRequest = FoundationNetworking.NSMutableURLRequest
/// A request as an object.
public typealias NSURLRequest = FoundationNetworking.NSURLRequest
/// A server's question for a credential or for trust.
public typealias URLAuthenticationChallenge = FoundationNetworking.URLAuthenticationChallenge
/// Takes the answer to a challenge.
public typealias URLAuthenticationChallengeSender = FoundationNetworking.URLAuthenticationChallengeSender
/// A store of responses.
public typealias URLCache = URLLoading.URLCache
/// A name with a password, a trust or an identity.
public typealias URLCredential = FoundationNetworking.URLCredential
/// A store of credentials.
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage
/// The protection space of a credential: host, port, realm and method.
public typealias URLProtectionSpace = FoundationNetworking.URLProtectionSpace
/// A request.
public typealias URLRequest = FoundationNetworking.URLRequest
/// A response.
public typealias URLResponse = FoundationNetworking.URLResponse
