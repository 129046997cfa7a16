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

  /// The signature is right, and OpenSSL does not look at it.
  @Test func `a certificate that names its algorithm in two ways has its issuer (TL-28)`() throws {
    let (leaf, middle, root) = try MadeCertificates.clientChain()
    let odd = try #require(SecCertificateCreateWithData(nil, Data(try Self.named(twice: try leaf.shown.der)) as CFData))
    var trust: SecTrust?
    let list = [odd, try middle.shown, try root.shown]
    SecTrustCreateWithCertificates(list as CFArray, SecPolicyCreateBasicX509(), &trust)
    let made = try #require(trust)
    SecTrustSetAnchorCertificates(made, [try root.shown] as CFArray)
    #expect(!SecTrustEvaluateWithError(made, nil))
    #expect(SecTrustCopyCertificateChain(made) as? [SecCertificate] == list)
  }

  /// The certificate with a NULL as parameters of its outer algorithm, ECDSA with SHA-256, which has none.
  private static func named(twice der: [UInt8]) throws -> [UInt8] {
    let name: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
    let place = try #require(der.indices.last { der[$0...].starts(with: [0x30, 10] + name) })
    let content = der[4..<place] + [0x30, 12] + name + [5, 0] + der[(place + 12)...]
    try #require(der[1] == 0x82)
    return [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
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
