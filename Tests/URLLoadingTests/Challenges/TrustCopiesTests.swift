// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing
import Transport

@testable import URLLoading

/// What a trust says about itself, through the pointers of Apple's SDK (TL-23).
@Suite struct TrustCopiesTests {
  /// A trust in what a server of `authority` shows; it is for localhost.
  private static func trust(_ authority: CertificateAuthority) throws -> SecTrust {
    let leaf = try TLSSettings(authority: authority).makeCertificate()
    let chain = CertificateChain([try PEM.certificate(leaf)], host: "localhost")
    return SecTrust(chain, trusting: Array(authority.pem.utf8))
  }

  /// The caller's part, as it is written for Apple's systems.
  private static func bytes(of key: SecKey) throws -> Data {
    var error: Unmanaged<CFError>?
    guard let data = SecKeyCopyExternalRepresentation(key, &error) else {
      throw error!.takeRetainedValue() as any Error
    }
    #expect(error == nil)
    return data as Data
  }

  @Test func `a key's bytes come with an error to be taken over (TL-23)`() throws {
    let trust = try Self.trust(try CertificateAuthority())
    let key = try #require(SecTrustCopyKey(trust))
    #expect(try Self.bytes(of: key) == SecKeyCopyExternalRepresentation(key, nil))
    // The way of an error through the pointer: retained once, released by the caller.
    var handed: Unmanaged<CFError>? = .passRetained(NSError(domain: NSPOSIXErrorDomain, code: 5))
    let error = handed!.takeRetainedValue() as any Error
    handed = nil
    #expect((error as NSError).code == 5)
  }

  @Test func `an evaluation sets its error, and a success leaves it (TL-23)`() throws {
    let trust = try Self.trust(try CertificateAuthority())
    var error: CFError?
    #expect(SecTrustEvaluateWithError(trust, &error) && error == nil)
    SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.test" as CFString))
    #expect(!SecTrustEvaluateWithError(trust, &error))
    let refused = try #require(error) as any Error
    #expect((refused as NSError).code == Int(errSecNotTrusted))
  }

  @Test func `the result is a table once there was an evaluation (TL-23)`() throws {
    let trust = try Self.trust(try CertificateAuthority())
    #expect(SecTrustCopyResult(trust) == nil)
    let before = Date()
    #expect(SecTrustEvaluateWithError(trust, nil))
    let result = try #require(SecTrustCopyResult(trust) as? [String: Any])
    let value = try #require(result[kSecTrustResultValue as String] as? NSNumber)
    #expect(SecTrustResultType(rawValue: value.uint32Value) == .unspecified)
    let time = try #require(result[kSecTrustEvaluationDate as String] as? Date)
    #expect(time >= before && time <= Date())
    #expect(result[kSecTrustRevocationChecked as String] == nil)
    SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
    #expect(SecTrustCopyResult(trust) == nil)
  }

  @Test func `policies and anchors are given as they were set (TL-23)`() throws {
    let authority = try CertificateAuthority()
    let trust = try Self.trust(authority)
    var (policies, anchors): (CFArray?, CFArray?)
    #expect(SecTrustCopyPolicies(trust, &policies) == errSecSuccess && policies?.count == 1)
    #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess && anchors == nil)
    let (one, other) = (SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil))
    SecTrustSetPolicies(trust, [one, other] as CFArray)
    SecTrustCopyPolicies(trust, &policies)
    #expect((policies as? [SecPolicy])?.elementsEqual([one, other], by: ===) == true)
    let root = SecCertificate(try PEM.certificate(authority.pem))
    SecTrustSetAnchorCertificates(trust, [root] as CFArray)
    SecTrustCopyCustomAnchorCertificates(trust, &anchors)
    #expect(anchors as? [SecCertificate] == [root])
    SecTrustSetAnchorCertificates(trust, nil)
    SecTrustCopyCustomAnchorCertificates(trust, &anchors)
    #expect(anchors == nil)
  }
}

/// Text of certificates (RFC 7468).
enum PEM {
  /// The DER of the first block.
  static func certificate(_ text: String) throws -> [UInt8] {
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN CERTIFICATE") }.dropFirst()
    return Array(try #require(Data(base64Encoded: lines.prefix { !$0.hasPrefix("-----") }.joined())))
  }
}
