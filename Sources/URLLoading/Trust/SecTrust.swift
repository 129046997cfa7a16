// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import Transport

/// The certificates that a server showed, and for which host: the `serverTrust` of a challenge's protection space.
///
/// A decision about it binds to these very certificates: the request is sent on a connection whose server shows the same
/// one, or not at all.
public final class SecTrust: Sendable {
  let chain: CertificateChain
  private let authorities: [UInt8]?
  /// The outcome of the evaluations.
  let judgement = Locked(Judgement())

  init(_ chain: CertificateChain, trusting authorities: [UInt8]?) {
    self.chain = chain
    self.authorities = authorities
  }

  /// Why the system would refuse it now, by the policies and anchors that were set; nil when it would not.
  var failure: TransferFailure? {
    let judgement = judgement.withLock { $0 }
    for policy in judgement.policies {
      var rules = policy.rules
      (rules.anchors, rules.areAnchorsAlone) = (judgement.anchors ?? [], judgement.areAnchorsAlone)
      if let failure = chain.failure(trusting: authorities, by: rules) { return failure }
    }
    return nil
  }
}

/// The type in which Apple's functions give an error.
public typealias CFError = NSError

/// True if the system trusts the server: the chain leads to a known authority, holds now, and its first certificate has
/// the host among its alternative names (a common name counts for nothing, RFC 9110 section 4.3.4).
///
/// It reads the list of authorities, which takes some milliseconds; any thread.
/// - Parameter error: set when the answer is false: domain NSOSStatusErrorDomain, one of Apple's codes (-67818 expired,
///   -67819 not valid yet, -67843 not trusted), and a sentence with OpenSSL's words.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
  guard let failure = trust.evaluate().failure else { return true }
  let code =
    switch failure.cause {
    case .certificateExpired: errSecCertificateExpired
    case .certificateNotYetValid: errSecCertificateNotValidYet
    default: errSecNotTrusted
    }
  unsafe error?.pointee = NSError(
    domain: "NSOSStatusErrorDomain", code: Int(code), userInfo: [NSLocalizedDescriptionKey: failure.description])
  return false
}

/// The certificates, the server's own first. Each element is a `SecCertificate`: Apple returns a CFArray, which code
/// casts with `as? [SecCertificate]`.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [Any]? {
  trust.chain.certificates.map { SecCertificate($0) }
}
