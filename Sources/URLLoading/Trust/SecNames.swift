// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Names of Apple's frameworks that stand in the signatures of what pinning code calls. The types of Core Foundation are Swift's
// own here, so that the casts of such code, `data as CFData` or `as? [SecCertificate]`, compile and do nothing.

/// A number that says how a call of the Security framework ended.
public typealias OSStatus = Int32

/// The type in which Apple's functions give bytes.
public typealias CFData = Data

/// The type in which Apple's functions give text.
public typealias CFString = String

/// The type in which Apple's functions give a list.
public typealias CFArray = [Any]

/// The type in which Apple's functions give a table. `as CFDictionary` does nothing to `[String: Any]`; an `NSDictionary` takes `as?`.
public typealias CFDictionary = [AnyHashable: Any]

/// The type in which Apple's functions take one thing or a list of them.
public typealias CFTypeRef = Any

/// The type with which Apple's functions count.
public typealias CFIndex = Int

/// Nothing: there are no allocators here. `nil` and `kCFAllocatorDefault` compile.
public enum CFAllocator: Sendable {}

/// nil, the only allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The call did what it says.
public let errSecSuccess: OSStatus = 0

/// An argument is none that the call takes.
public let errSecParam: OSStatus = -50

/// A certificate of the chain is no longer valid.
public let errSecCertificateExpired: OSStatus = -67818

/// A certificate of the chain is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819

/// The chain leads to no authority that is trusted, or is not for this host.
public let errSecNotTrusted: OSStatus = -67843

/// The length of a response's body where the server does not send it; a response says so in `expectedContentLength`.
public let NSURLResponseUnknownLength: Int64 = -1

/// The result of an evaluation of a server's certificates.
public enum SecTrustResultType: UInt32, Sendable {
  /// There was no evaluation yet.
  case invalid = 0
  /// Trusted, because the user said so: here after `SecTrustSetExceptions(_:_:)`.
  case proceed = 1
  /// The user said no; never given here.
  case deny = 3
  /// Trusted, and the user said nothing: the usual result.
  case unspecified = 4
  /// Not trusted, but for a reason that the user could pass over.
  case recoverableTrustFailure = 5
  /// Not trusted, whatever the user says; never given here.
  case fatalTrustFailure = 6
  /// The evaluation itself failed: the certificates cannot be read.
  case otherError = 7
}
