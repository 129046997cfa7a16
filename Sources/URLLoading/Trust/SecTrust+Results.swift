// SPDX-License-Identifier: Apache-2.0
public import Foundation
import HTTPRules
import Locking
import Transport

// The functions that pinning code of the years before `SecTrustEvaluateWithError(_:_:)` calls. All take any thread.

/// True if the system trusts the server, by the rules of `SecTrustEvaluateWithError(_:_:)`, as a `SecTrustResultType`.
///
/// Apple has deprecated it in favour of that one. Where the server is not trusted the call succeeds all the same: look at the
/// result, `.unspecified` or `.proceed` for trusted.
/// - Parameter result: set to what came out.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
  unsafe result.pointee = trust.evaluate().result
  return errSecSuccess
}

/// Gives the result of the last evaluation; `.invalid` before the first.
/// - Parameter result: set to that.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetTrustResult(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  unsafe result.pointee = trust.judgement.withLock { $0.result }
  return errSecSuccess
}

/// An exception for these very certificates and this host, to be kept and given to `SecTrustSetExceptions(_:_:)` another time.
///
/// The bytes, 64 hexadecimal digits in ASCII, are a SHA-256 over the host and the certificates; Apple's are other ones. They say
/// nothing about why the certificates are not trusted: they make all of that good, but for an
/// answer about revocations that a policy insists on.
/// - Returns: nil where no certificate was shown.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
  trust.exception
}

/// Makes evaluations of these certificates come to `.proceed`, where `exceptions` were made of the same certificates for the same
/// host; otherwise, and with nil, exceptions that were set before are gone. It binds this object alone: what the load does is
/// for the delegate to say, as ever.
/// - Returns: whether there is an exception now.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
  let isExcepted = exceptions != nil && exceptions == trust.exception
  trust.judgement.withLock { ($0.isExcepted, $0.result) = (isExcepted, .invalid) }
  return isExcepted
}

/// How many certificates `SecTrustCopyCertificateChain(_:)` gives.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  trust.path.count
}

/// The one of them at `index`, from 0, the server's own; nil where there is none. Apple has deprecated it in favour of
/// `SecTrustCopyCertificateChain(_:)`.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
  let certificates = trust.path
  return certificates.indices.contains(index) ? SecCertificate(certificates[index]) : nil
}

/// The public key of the server's own certificate, trusted or not; nil where it cannot be read.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  trust.chain.certificates.first.flatMap { SecKey(certificate: $0) }
}

/// The same under the name that Apple has deprecated.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? {
  SecTrustCopyKey(trust)
}

extension SecTrust {
  /// The outcome of the evaluations so far.
  struct Judgement {
    var isExcepted = false
    var result = SecTrustResultType.invalid
    /// The time of the last evaluation, whose result may no longer count.
    var time: Date?
    var policies: [SecPolicy]
    var anchors: [[UInt8]]?
    var areAnchorsAlone = false
    /// What was found last for `SecTrustCopyCertificateChain(_:)`, and with which anchors.
    var path: Path?
  }

  /// Why an evaluation says no.
  struct Refusal {
    let code: OSStatus
    let description: String

    /// No policy gets an answer about revocations.
    static let unanswered = Refusal(
      code: errSecIncompleteCertRevocationCheck,
      description: "A policy insists on an answer that the certificates were not revoked; nothing here asks for one.")

    init(code: OSStatus, description: String) {
      (self.code, self.description) = (code, description)
    }

    init(_ failure: TransferFailure) {
      description = failure.description
      code =
        switch failure.cause {
        case .certificateExpired: errSecCertificateExpired
        case .certificateNotYetValid: errSecCertificateNotValidYet
        default: errSecNotTrusted
        }
    }
  }

  /// True if it is trusted now, exceptions included, and why not; noted for `SecTrustGetTrustResult(_:_:)`.
  func evaluate() -> (result: SecTrustResultType, refusal: Refusal?) {
    let (isExcepted, policies) = judgement.withLock { ($0.isExcepted, $0.policies) }
    var refusal = isExcepted ? nil : failure.map { Refusal($0) }
    // An exception is about the certificates, and stands for no answer about them.
    if refusal == nil, policies.contains(where: \.insistsOnAnswer) { refusal = .unanswered }
    let bad: SecTrustResultType = chain.certificates.isEmpty ? .otherError : .recoverableTrustFailure
    let result: SecTrustResultType = refusal != nil ? bad : isExcepted ? .proceed : .unspecified
    judgement.withLock { ($0.result, $0.time) = (result, Date()) }
    return (result, refusal)
  }

  fileprivate var exception: Data? {
    guard !chain.certificates.isEmpty else { return nil }
    let parts = [Array(chain.host.utf8)] + chain.certificates
    // The length before each part: no two lists have the same bytes.
    let bytes = parts.flatMap { Array("\($0.count):".utf8) + $0 }
    return MessageDigest.sha256.hex(bytes).map { Data($0.utf8) }
  }
}
