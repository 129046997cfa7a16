// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// Code as it was written for Apple's systems before 2020, with the names of the Security framework.
@Suite struct PinningNameTests {
  /// The findings of such code about a trust.
  private struct Findings: Equatable {
    var status: OSStatus = errSecSuccess
    var before = SecTrustResultType.deny
    var result = SecTrustResultType.invalid
    var excepted = SecTrustResultType.invalid
    var again = SecTrustResultType.invalid
  }

  private static func findings(_ trust: SecTrust) -> Findings {
    var findings = Findings()
    _ = SecTrustGetTrustResult(trust, &findings.before)
    findings.status = SecTrustEvaluate(trust, &findings.result)
    let exceptions = SecTrustCopyExceptions(trust)
    #expect(SecTrustSetExceptions(trust, exceptions))
    _ = SecTrustEvaluate(trust, &findings.excepted)
    #expect(SecTrustEvaluateWithError(trust, nil) && exceptions?.isEmpty == false)
    #expect(!SecTrustSetExceptions(trust, Data("other".utf8) as CFData))
    _ = SecTrustEvaluate(trust, &findings.again)
    return findings
  }

  @Test(arguments: ChallengeFace.allCases, [TLSSettings.Leaf.trusted, .expired, .selfSigned])
  func `an evaluation has a result, and exceptions are for one chain (TL-18)`(
    face: ChallengeFace, leaf: TLSSettings.Leaf
  ) async throws {
    let server = try TestAuthority.server(leaf)
    defer { server.stop() }
    let found = Locked<[Findings]>([])
    let client = ChallengeClient(face) { challenge in
      guard let trust = challenge.space.serverTrust else { return .cancel }
      let findings = Self.findings(trust)
      found.withLock { $0.append(findings) }
      return .cancel
    }
    _ = await client.load(server.url("/ok"))
    let result: SecTrustResultType = leaf == .trusted ? .unspecified : .recoverableTrustFailure
    #expect(
      found.withLock { $0.first } == Findings(before: .invalid, result: result, excepted: .proceed, again: result))
  }

  @Test(arguments: ChallengeFace.allCases)
  func `certificates and keys are compared as on Apple's systems (TL-18)`(face: ChallengeFace) async throws {
    let server = try TestAuthority.server(.trusted)
    defer { server.stop() }
    let calls = Locked(0)
    let client = ChallengeClient(face) { challenge in
      guard let trust = challenge.space.serverTrust, let leaf = SecTrustGetCertificateAtIndex(trust, 0) else {
        return .cancel
      }
      calls.withLock { $0 += 1 }
      let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
      #expect(SecTrustGetCertificateCount(trust) == chain?.count && chain?.first == leaf)
      #expect(SecTrustGetCertificateAtIndex(trust, -1) == nil && SecTrustGetCertificateAtIndex(trust, 99) == nil)
      let data = SecCertificateCopyData(leaf) as Data
      #expect(SecCertificateCreateWithData(nil, data as CFData) == leaf)
      #expect(SecCertificateCreateWithData(kCFAllocatorDefault, data + [0]) == nil)
      #expect(SecCertificateCreateWithData(nil, Data() as CFData) == nil)
      let key = SecTrustCopyKey(trust)
      #expect(key != nil && key == SecCertificateCopyKey(leaf) && key == SecTrustCopyPublicKey(trust))
      let bytes = key.flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? } ?? Data()
      // A point of P-256 or a sequence of PKCS #1; both stand in the certificate.
      #expect((bytes.first == 4 && bytes.count == 65) || bytes.first == 0x30)
      #expect(data.range(of: bytes) != nil)
      return .cancel
    }
    _ = await client.load(server.url("/ok"))
    #expect(calls.withLock { $0 } > 0)
  }

  /// Collects the results of the evaluations in turn, with each of the rules.
  private static func judgements(_ trust: SecTrust, host: String) -> [Bool] {
    var judgements: [Bool] = []
    func judge(_ status: OSStatus) {
      #expect(status == errSecSuccess)
      var result = SecTrustResultType.invalid
      _ = SecTrustEvaluate(trust, &result)
      judgements.append(result == .unspecified)
    }
    judge(SecTrustSetPolicies(trust, [SecPolicyCreateSSL(true, host as CFString)] as CFArray))
    judge(SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.test" as CFString?)))
    #expect(SecTrustSetPolicies(trust, "none") == errSecParam)
    judge(SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, nil)))
    judge(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()))
    judge(SecTrustSetAnchorCertificates(trust, [] as CFArray))
    judge(SecTrustSetAnchorCertificatesOnly(trust, false))
    judge(SecTrustSetAnchorCertificates(trust, SecTrustCopyCertificateChain(trust)))
    #expect(SecTrustSetAnchorCertificates(trust, [1]) == errSecParam)
    judge(SecTrustSetAnchorCertificates(trust, nil))
    return judgements
  }

  @Test(arguments: ChallengeFace.allCases)
  func `policies and anchors rule an evaluation (TL-18)`(face: ChallengeFace) async throws {
    for (leaf, expected) in [
      (TLSSettings.Leaf.trusted, [true, false, true, true, false, true, true, true]),
      (.wrongHost, [false, false, true, true, false, true, true, true]),
      (.selfSigned, [false, false, false, false, false, false, true, false]),
    ] {
      let server = try TestAuthority.server(leaf)
      defer { server.stop() }
      let found = Locked<[[Bool]]>([])
      let client = ChallengeClient(face) { challenge in
        guard let trust = challenge.space.serverTrust else { return .cancel }
        let judgements = Self.judgements(trust, host: challenge.space.host)
        found.withLock { $0.append(judgements) }
        return .cancel
      }
      _ = await client.load(server.url("/ok"))
      #expect(found.withLock { $0.first } == expected, "\(leaf)")
    }
  }

  @Test(arguments: Face.allCases)
  func `an unknown length has Apple's name (A.7)`(face: Face) async throws {
    let route = Route("/x", script: [.bytes(Array("HTTP/1.1 200 OK\r\n\r\nx".utf8)), .end(.fin)])
    try await LessonServer.serving([route]) { server in
      let facts = await Client.load(URLRequest(url: try #require(URL(string: server.url("/x")))), on: face)
      #expect(facts.error == nil && facts.expectedLength == NSURLResponseUnknownLength)
    }
  }
}
