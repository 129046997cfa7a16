// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

// What a trust says about itself. All take any thread.

/// The key of the time of the evaluation, a `Date`, in what `SecTrustCopyResult(_:)` gives.
public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"

/// The key of the raw value of the `SecTrustResultType`, an `NSNumber`, in what `SecTrustCopyResult(_:)` gives.
public let kSecTrustResultValue: CFString = "TrustResultValue"

/// The key of whether revocation was checked. Never there, since nothing here checks it.
public let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"

/// The last evaluation: `kSecTrustEvaluationDate` and `kSecTrustResultValue`. Apple's has more where the system knows more.
/// - Returns: nil before the first evaluation, and after policies, anchors or exceptions were set.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
  let judgement = trust.judgement.withLock { $0 }
  guard judgement.result != .invalid, let time = judgement.time else { return nil }
  return [kSecTrustEvaluationDate: time, kSecTrustResultValue: NSNumber(value: judgement.result.rawValue)]
}

/// Gives the policies by which it is evaluated.
/// - Parameter policies: set to them, each a `SecPolicy`.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
  unsafe policies.pointee = trust.judgement.withLock { $0.policies }
  return errSecSuccess
}

/// Gives the authorities that `SecTrustSetAnchorCertificates(_:_:)` set.
/// - Parameter anchors: set to them, each a `SecCertificate`; to nil where none were set.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
  _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  unsafe anchors.pointee = trust.judgement.withLock { $0.anchors?.map { SecCertificate($0) } }
  return errSecSuccess
}
