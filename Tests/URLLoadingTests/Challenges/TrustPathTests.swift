// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Foundation
import Testing

@testable import LessonServer
@testable import URLLoading

/// Which certificates a trust gives (TL-28): any server can add that of an authority that never heard of it.
@Suite struct TrustPathTests {
  private static func trust(_ certificates: [Certificate], anchors: [Certificate]) throws -> SecTrust {
    var trust: SecTrust?
    let list = try certificates.map { try $0.shown } as CFArray
    #expect(SecTrustCreateWithCertificates(list, SecPolicyCreateBasicX509(), &trust) == errSecSuccess)
    let made = try #require(trust)
    #expect(SecTrustSetAnchorCertificates(made, try anchors.map { try $0.shown } as CFArray) == errSecSuccess)
    return made
  }

  /// Compares what the three functions give.
  private static func expect(_ trust: SecTrust, _ certificates: [Certificate]) throws {
    let chain = try #require(SecTrustCopyCertificateChain(trust) as? [SecCertificate])
    #expect(try chain == certificates.map { try $0.shown })
    #expect(SecTrustGetCertificateCount(trust) == chain.count)
    #expect((0...chain.count).map { SecTrustGetCertificateAtIndex(trust, $0) } == chain + [nil])
  }

  @Test func `its certificates lead to an authority, in order, whatever else was sent (TL-28)`() throws {
    let (leaf, middle, root) = try MadeCertificates.clientChain()
    let stranger = try Certificate(.init(commonName: "Stranger", isAuthority: true))
    try Self.expect(Self.trust([leaf, stranger, middle], anchors: [root]), [leaf, middle, root])
    try Self.expect(Self.trust([leaf, stranger, root, middle], anchors: [root]), [leaf, middle, root])
    try Self.expect(Self.trust([leaf, stranger], anchors: [middle]), [leaf, middle])
    try Self.expect(Self.trust([stranger, leaf, middle], anchors: [root]), [stranger])
  }

  @Test func `without an authority they lead as far as the signatures do (TL-28)`() throws {
    let (leaf, middle, root) = try MadeCertificates.clientChain()
    let stranger = try Certificate(.init(commonName: "Stranger", isAuthority: true))
    try Self.expect(Self.trust([leaf, middle, root], anchors: [stranger]), [leaf, middle, root])
    try Self.expect(Self.trust([leaf, middle, stranger], anchors: [stranger]), [leaf, middle])
    // A link is missing, though both ends are there.
    try Self.expect(Self.trust([leaf, root], anchors: [root]), [leaf])
  }

  /// OpenSSL links by names at first.
  @Test func `an authority is not among them that is named as the issuer and signed nothing (TL-28)`() throws {
    let root = try Certificate(.init(commonName: "Root of tests", isAuthority: true))
    let forged = try Certificate(.init(commonName: "forged"))
    X509_set_issuer_name(forged.certificate, X509_get_subject_name(root.certificate))
    try #require(X509_sign(forged.certificate, forged.key, EVP_sha256()) > 0)
    let trust = try Self.trust([forged, root], anchors: [root])
    #expect(!SecTrustEvaluateWithError(trust, nil))
    try Self.expect(trust, [forged])
  }

  @Test func `anchors that are set later count (TL-28)`() throws {
    let (leaf, middle, root) = try MadeCertificates.clientChain()
    let trust = try Self.trust([leaf, middle], anchors: [])
    try Self.expect(trust, [leaf, middle])
    SecTrustSetAnchorCertificates(trust, [try root.shown] as CFArray)
    try Self.expect(trust, [leaf, middle, root])
    SecTrustSetAnchorCertificates(trust, nil)
    try Self.expect(trust, [leaf, middle])
  }

  @Test func `a server's list goes to another process as it was sent (TL-28)`() throws {
    let (leaf, middle, root) = try MadeCertificates.clientChain()
    let sent = try [leaf, root, middle].map { try $0.shown.der }
    #expect(try Self.trust([leaf, root, middle], anchors: [root]).shown == sent.map { Data($0) })
  }
}
