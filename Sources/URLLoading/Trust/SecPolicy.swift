// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import Transport

/// A rule by which a server's certificates are evaluated.
public final class SecPolicy: Sendable {
  let rules: CertificateRules
  /// True if an evaluation fails without an answer that no certificate of the chain was revoked.
  let insistsOnAnswer: Bool

  init(_ rules: CertificateRules, insistsOnAnswer: Bool = false) {
    self.rules = rules
    self.insistsOnAnswer = insistsOnAnswer
  }

  /// The policy that holds where a program sets none: a server of TLS, and the host of the request.
  static let server = SecPolicy(CertificateRules())
}

/// The rule for certificates of TLS.
/// - Parameters:
///   - server: Whether they are a server's; a client's otherwise.
///   - hostname: The host that the first certificate must name, an address without brackets; nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
  var rules = CertificateRules()
  rules.purpose = server ? .server : .client
  rules.name = hostname.map { .given($0) } ?? .none
  return SecPolicy(rules)
}

/// The rule for certificates of any purpose and host: the chain leads to an authority that is trusted, and holds now.
public func SecPolicyCreateBasicX509() -> SecPolicy {
  SecPolicy(.basic)
}

extension CertificateRules {
  /// Any purpose, and any host.
  static var basic: CertificateRules {
    var rules = CertificateRules()
    (rules.purpose, rules.name) = (.any, .none)
    return rules
  }
}

/// Sets the rules of the evaluations that follow, all of which must hold. What the load does is for the delegate to say, as ever.
/// - Parameter policies: A `SecPolicy`, or a list of some.
/// - Returns: `errSecSuccess`; `errSecParam` where it is neither, and nothing changes.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
  guard let list = oneOrMore(SecPolicy.self, in: policies) else { return errSecParam }
  trust.judgement.withLock { ($0.policies, $0.result) = (list, .invalid) }
  return errSecSuccess
}

/// The elements of what may be one or a list; nil where one is of another type, or none is there.
func oneOrMore<Element>(_: Element.Type, in value: CFTypeRef) -> [Element]? {
  let elements = value as? [Any] ?? [value]
  let found = elements.compactMap { $0 as? Element }
  return found.isEmpty || found.count < elements.count ? nil : found
}

/// Sets the authorities of the evaluations that follow, roots or not, in place of the system's; nil for the system's alone.
/// - Parameter anchors: Each a `SecCertificate`.
/// - Returns: `errSecSuccess`; `errSecParam` where one is none, and nothing changes.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: CFArray?) -> OSStatus {
  let list = anchors?.compactMap { ($0 as? SecCertificate)?.der }
  guard list?.count == anchors?.count else { return errSecParam }
  trust.judgement.withLock { ($0.anchors, $0.areAnchorsAlone, $0.result) = (list, anchors != nil, .invalid) }
  return errSecSuccess
}

/// Says whether the authorities that were set before are trusted alone, as they are at first, or beside the system's.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
  trust.judgement.withLock { ($0.areAnchorsAlone, $0.result) = (anchorCertificatesOnly, .invalid) }
  return errSecSuccess
}

/// Evaluates as `SecTrustEvaluateWithError(_:_:)` does, on another thread.
/// - Parameters:
///   - queue: Where it evaluates and calls `result`; Apple wants it to be the caller's own.
///   - result: Called once, with whether the server is trusted, and the error if it is not.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
  _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping @Sendable (SecTrust, Bool, CFError?) -> Void
) -> OSStatus {
  queue.async {
    var error: CFError?
    let isTrusted = unsafe SecTrustEvaluateWithError(trust, &error)
    result(trust, isTrusted, error)
  }
  return errSecSuccess
}
