// SPDX-License-Identifier: Apache-2.0

/// The protocol of a protection space of an http server. Apple's value, which is the scheme; the toolchain's constant
/// has its own name for a value.
public let NSURLProtectionSpaceHTTP = "http"

/// The protocol of a protection space of an https server.
public let NSURLProtectionSpaceHTTPS = "https"
