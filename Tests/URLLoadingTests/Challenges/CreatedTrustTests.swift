// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Testing

@testable import LessonServer
@testable import URLLoading

/// Trusts that a program makes itself (TL-25), and rules about revocation (TL-26).
@Suite struct CreatedTrustTests {
  private static func trust(_ certificates: CFTypeRef, _ policies: CFTypeRef?) throws -> SecTrust {
    var trust: SecTrust?
    #expect(SecTrustCreateWithCertificates(certificates, policies, &trust) == errSecSuccess)
    return try #require(trust)
  }

  /// What an evaluation with this root says: 0, or the code of its error.
  private static func code(_ trust: SecTrust, root: Certificate) throws -> Int {
    #expect(SecTrustSetAnchorCertificates(trust, [try root.shown] as CFArray) == errSecSuccess)
    var error: CFError?
    return SecTrustEvaluateWithError(trust, &error) ? 0 : try #require(error).code
  }

  @Test func `a trust in one certificate or several is judged by one rule or several (TL-25)`() throws {
    let (client, middle, root) = try MadeCertificates.clientChain()
    let (one, two) = (try client.shown, [try client.shown, try middle.shown])
    let rule = SecPolicyCreateSSL(false, nil)
    #expect(try Self.code(Self.trust(two as CFArray, nil), root: root) == 0)
    #expect(try Self.code(Self.trust(two as CFTypeRef, rule), root: root) == 0)
    #expect(try Self.code(Self.trust(two, [rule, SecPolicyCreateBasicX509()] as CFArray), root: root) == 0)
    #expect(try Self.code(Self.trust(one, rule), root: middle) == 0)
    // A link is missing, and a client is no server.
    #expect(try Self.code(Self.trust(one, nil), root: root) == Int(errSecNotTrusted))
    let server = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil)]
    #expect(try Self.code(Self.trust(two, server as CFArray), root: root) == Int(errSecNotTrusted))
    #expect(SecTrustCopyCertificateChain(try Self.trust(two, nil)) as? [SecCertificate] == two)
  }

  @Test func `what is no certificate or no rule makes no trust (TL-25)`() throws {
    let certificate = try MadeCertificates.clientChain().client.shown
    let rule = SecPolicyCreateBasicX509()
    var trust: SecTrust?
    let wrong: [(CFTypeRef, CFTypeRef?)] = [
      ([] as CFArray, rule), ("none", rule), ([certificate, 1] as CFArray, rule), (rule, nil),
      (certificate, [] as CFArray), (certificate, "none"), (certificate, [rule, certificate] as CFArray),
    ]
    for (certificates, policies) in wrong {
      #expect(SecTrustCreateWithCertificates(certificates, policies, &trust) == errSecParam)
    }
    #expect(trust == nil)
  }

  @Test func `a credential accepts the host of a rule, and with none no server (TL-25)`() throws {
    let own = try MadeCertificates.certificate([("CN", "x")], names: "DNS:a.test")
    let origin = try #require(Origin(URL(string: "https://a.test/")))
    for (host, isAccepted) in [("A.test", true), ("b.test", false), (nil, false)] {
      let trust = try Self.trust(own, SecPolicyCreateSSL(true, host as CFString?))
      let answer = ChallengeAnswer.use(URLCredential(trust: trust))
      #expect(answer.accepts(own.der, of: origin) == isAccepted)
      #expect(!answer.accepts([1], of: origin))
    }
  }

  // MARK: - Revocation

  @Test func `a rule that insists on an answer about a revocation fails (TL-26)`() throws {
    let (client, middle, root) = try MadeCertificates.clientChain()
    let two = [try client.shown, try middle.shown]
    let stranger = try Certificate(.init(commonName: "Stranger", isAuthority: true))
    let methods = kSecRevocationUseAnyAvailableMethod
    let required = methods | kSecRevocationRequirePositiveResponse
    #expect(SecPolicyCreateRevocation(0) == nil)
    for (flags, code) in [
      (methods, 0), (kSecRevocationOCSPMethod, 0), (methods | kSecRevocationPreferCRL, 0),
      (methods | kSecRevocationNetworkAccessDisabled, 0), (required, -67635),
      (kSecRevocationRequirePositiveResponse, -67635), (required | kSecRevocationNetworkAccessDisabled, -67635),
    ] {
      let rule = try #require(SecPolicyCreateRevocation(flags))
      let beside = [SecPolicyCreateSSL(false, nil), rule] as CFArray
      #expect(try Self.code(Self.trust(two, rule), root: root) == code, "\(flags)")
      #expect(try Self.code(Self.trust(two, beside), root: root) == code, "\(flags)")
      // The chain is judged all the same, and first.
      #expect(try Self.code(Self.trust(two, rule), root: stranger) == Int(errSecNotTrusted), "\(flags)")
    }
  }

  @Test func `no exception stands for an answer, and no result says that there was one (TL-26)`() throws {
    let (client, middle, root) = try MadeCertificates.clientChain()
    let rule = SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse)
    let trust = try Self.trust([try client.shown, try middle.shown], rule)
    #expect(SecTrustSetExceptions(trust, SecTrustCopyExceptions(trust)))
    #expect(try Self.code(trust, root: root) == Int(errSecIncompleteCertRevocationCheck))
    var result = SecTrustResultType.invalid
    #expect(SecTrustEvaluate(trust, &result) == errSecSuccess && result == .recoverableTrustFailure)
    #expect(SecTrustCopyResult(trust)?[kSecTrustRevocationChecked] == nil)
    SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
    #expect(SecTrustEvaluate(trust, &result) == errSecSuccess && result == .proceed)
  }
}
