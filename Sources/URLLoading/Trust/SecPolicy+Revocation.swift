// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules

// Nothing here asks whether a certificate was revoked: an answer would have to come over a network, from a place that the
// certificate names. So these rules never say more than the rest of an evaluation does, and one that insists on an answer fails.

/// A set of flags in Apple's functions.
public typealias CFOptionFlags = UInt

/// Ask by the Online Certificate Status Protocol (RFC 6960). Not asked.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0

/// Read lists of revoked certificates (RFC 5280 section 5). Not read.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1

/// Lists first, where both are set. Without effect.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2

/// Only an answer that the certificate is good will do. There is none here: every evaluation fails.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3

/// Only answers that were kept before. Without effect: none are kept.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4

/// Both methods.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// The answer about a revocation that a policy insists on is not there.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635

/// The rule that a certificate was not revoked, to be set beside one for servers. Nothing here can tell.
///
/// With `kSecRevocationRequirePositiveResponse` an evaluation fails with `errSecIncompleteCertRevocationCheck`, whatever the
/// certificate, and `SecTrustSetExceptions(_:_:)` does not help. Without it the policy asks for a chain that leads to a trusted authority
/// and holds now, as `SecPolicyCreateBasicX509()` does: the evaluation may come out well for a certificate that was revoked.
/// Apple's would then ask, and take silence for good. `SecTrustCopyResult(_:)` never says that revocation was checked.
/// - Parameter revocationFlags: A sum of `kSecRevocation…`.
/// - Returns: nil for no flag at all.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
  revocationFlags == 0
    ? nil : SecPolicy(.basic, insistsOnAnswer: revocationFlags & kSecRevocationRequirePositiveResponse != 0)
}
