// SPDX-License-Identifier: Apache-2.0
// The modules that `import ConnectionAPI` or `import SessionAPI` brings along: all of Foundation, and of FoundationNetworking
// just the value types. Its own `URLSession` stays out of sight. Everything else in this module has package access but for what
// those types lack against Apple's, so that re-exporting the module shows nothing else.
@_exported public import Foundation

@_exported public import class FoundationNetworking.CachedURLResponse
@_exported public import class FoundationNetworking.HTTPCookie
@_exported public import struct FoundationNetworking.HTTPCookiePropertyKey
@_exported public import class FoundationNetworking.HTTPURLResponse
@_exported public import class FoundationNetworking.NSMutableURLRequest
@_exported public import let FoundationNetworking.NSURLAuthenticationMethodDefault
@_exported public import let FoundationNetworking.NSURLAuthenticationMethodHTMLForm
@_exported public import let FoundationNetworking.NSURLAuthenticationMethodHTTPBasic
@_exported public import let FoundationNetworking.NSURLAuthenticationMethodHTTPDigest
@_exported public import let FoundationNetworking.NSURLAuthenticationMethodNTLM
@_exported public import let FoundationNetworking.NSURLAuthenticationMethodNegotiate
@_exported public import let FoundationNetworking.NSURLCredentialStorageRemoveSynchronizableCredentials
@_exported public import let FoundationNetworking.NSURLProtectionSpaceFTP
@_exported public import let FoundationNetworking.NSURLProtectionSpaceFTPProxy
@_exported public import let FoundationNetworking.NSURLProtectionSpaceHTTPProxy
@_exported public import let FoundationNetworking.NSURLProtectionSpaceHTTPSProxy
@_exported public import let FoundationNetworking.NSURLProtectionSpaceSOCKSProxy
@_exported public import class FoundationNetworking.NSURLRequest
@_exported public import class FoundationNetworking.URLAuthenticationChallenge
@_exported public import protocol FoundationNetworking.URLAuthenticationChallengeSender
@_exported public import class FoundationNetworking.URLCredential
@_exported public import class FoundationNetworking.URLCredentialStorage
@_exported public import class FoundationNetworking.URLProtectionSpace
@_exported public import class FoundationNetworking.URLProtocol
@_exported public import protocol FoundationNetworking.URLProtocolClient
@_exported public import struct FoundationNetworking.URLRequest
@_exported public import class FoundationNetworking.URLResponse
