// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Transport

extension SecTrust {
  /// The certificates of a path, and the anchors to which it was searched.
  struct Path: Sendable {
    let certificates: [[UInt8]]
    fileprivate let anchors: [[UInt8]]?
    fileprivate let areAnchorsAlone: Bool
  }

  /// The certificates from the first one towards an authority, in DER, with the anchors as they are set now. Searched once for each
  /// setting.
  var path: [[UInt8]] {
    let (known, anchors, areAnchorsAlone) = judgement.withLock { ($0.path, $0.anchors, $0.areAnchorsAlone) }
    if let known, known.anchors == anchors, known.areAnchorsAlone == areAnchorsAlone { return known.certificates }
    // Neither purpose nor host has a part in who signed whom.
    var rules = CertificateRules.basic
    (rules.anchors, rules.areAnchorsAlone) = (anchors ?? [], areAnchorsAlone)
    let certificates = chain.path(trusting: authorities, by: rules)
    let found = Path(certificates: certificates, anchors: anchors, areAnchorsAlone: areAnchorsAlone)
    judgement.withLock { $0.path = found }
    return certificates
  }

  /// All certificates that the server sent, its own first: what judges it in another process.
  package var shown: [Data] { chain.certificates.map { Data($0) } }
}
