// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import Transport

/// The certificates that a server showed, and for which host: the `serverTrust` of a challenge's protection space. Or those that a
/// program has: `SecTrustCreateWithCertificates(_:_:_:)`.
///
/// A decision about it binds to these very certificates: the request is sent on a connection whose server shows the same
/// one, or not at all.
public final class SecTrust: Sendable {
  let chain: CertificateChain
  let authorities: [UInt8]?
  /// The outcome of the evaluations.
  let judgement: Locked<Judgement>

  init(_ chain: CertificateChain, trusting authorities: [UInt8]?, by policies: [SecPolicy] = [.server]) {
    self.chain = chain
    self.authorities = authorities
    judgement = Locked(Judgement(policies: policies))
  }

  /// Why the system would refuse the chain now, by the policies and anchors that were set; nil when it would not.
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
///   -67819 not valid yet, -67843 not trusted, -67635 without an answer about a revocation), and a sentence, with OpenSSL's words where
///   it is OpenSSL's.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
  guard let refusal = trust.evaluate().refusal else { return true }
  unsafe error?.pointee = NSError(
    domain: "NSOSStatusErrorDomain", code: Int(refusal.code), userInfo: [NSLocalizedDescriptionKey: refusal.description]
  )
  return false
}

/// The certificates that lead from the server's own, which is first, towards an authority, each signed by the next: as far as they
/// do, trusted or not. What else the server sent is not among them; an authority that it did not send is.
///
/// Each element is a `SecCertificate`: Apple returns a CFArray, which code casts with `as? [SecCertificate]`. The first call, and the
/// first after anchors were set, reads the list of authorities.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [Any]? {
  trust.path.map { SecCertificate($0) }
}

/// A trust in certificates that a program has, to be evaluated as a server's are. Where a policy names a host, `URLCredential(trust:)`
/// accepts that host's server, if it shows the first of them; with no host it accepts none.
/// - Parameters:
///   - certificates: A `SecCertificate`, or a list of some: the one to be judged, then others that may lead to an authority.
///   - policies: A `SecPolicy`, or a list of some; nil for `SecPolicyCreateBasicX509()`.
///   - trust: Set on success.
/// - Returns: `errSecSuccess`; `errSecParam` where one argument is neither, or an empty list.
@discardableResult
public func SecTrustCreateWithCertificates(
  _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
  let rules = policies.map { oneOrMore(SecPolicy.self, in: $0) } ?? [SecPolicy(.basic)]
  guard let chain = oneOrMore(SecCertificate.self, in: certificates), let rules else { return errSecParam }
  let hosts = rules.compactMap { $0.rules.name(for: "")?.lowercased() }
  let shown = CertificateChain(chain.map(\.der), host: hosts.first ?? "")
  unsafe trust.pointee = SecTrust(shown, trusting: nil, by: rules)
  return errSecSuccess
}
