// SPDX-License-Identifier: Apache-2.0

extension TLSSettings {
  /// The certificate that a server with these settings would show, as PEM text; made anew each time.
  ///
  /// - Throws: `cannotMakeCertificates` when OpenSSL fails.
  public func makeCertificate() throws(LessonServerError) -> String {
    try authority.makeChain(self)[0].makePEM()
  }
}

/// The chains that servers show: their own certificate and those of the authorities between it and the one that clients trust.
extension CertificateAuthority {
  private static let ownNames = "DNS:localhost,IP:127.0.0.1,IP:::1"

  /// The certificates that a server with these settings shows, its own with its key first.
  func makeChain(_ settings: TLSSettings) throws(LessonServerError) -> [Certificate] {
    var contents = contents(of: settings.leaf)
    if let names = settings.names { contents.names = names }
    // Only a certificate with an RSA key is of use with the suites that take such a group.
    if settings.offer == .smallGroup { contents.bits = 2048 }
    switch settings.leaf {
    case .selfSigned: return [try Certificate(contents)]
    case .unknownAuthority:
      let stranger = try Certificate(.init(commonName: "Unknown Authority", isAuthority: true))
      return [try Certificate(contents, issuer: stranger)]
    case .signedByServer:
      let server = try Certificate(self.contents(of: .trusted), issuer: certificate)
      return [try Certificate(contents, issuer: server), server]
    case .expiredIntermediate, .missingIntermediate, .outsideOfNames, .reversedChain:
      return try makeLongChain(settings.leaf, contents)
    case .trusted, .expired, .notYetValid, .wrongHost, .noSAN, .clientOnly, .smallKey, .sha1, .manyNames:
      return [try Certificate(contents, issuer: certificate)]
    }
  }

  private func makeLongChain(
    _ leaf: TLSSettings.Leaf, _ contents: Certificate.Contents
  ) throws(LessonServerError) -> [Certificate] {
    var between = Certificate.Contents(commonName: "Lesson Authority in between", isAuthority: true)
    if leaf == .expiredIntermediate { between.days = -30...(-1) }
    if leaf == .outsideOfNames { between.constraint = "critical,permitted;DNS:wrong.example" }
    let middle = try Certificate(between, issuer: certificate)
    let own = try Certificate(contents, issuer: middle)
    switch leaf {
    case .missingIntermediate: return [own]
    case .reversedChain: return [own, certificate, middle]
    default: return [own, middle]
    }
  }

  private func contents(of leaf: TLSSettings.Leaf) -> Certificate.Contents {
    var contents = Certificate.Contents(commonName: "localhost", names: Self.ownNames)
    switch leaf {
    case .expired: contents.days = -30...(-1)
    case .notYetValid: contents.days = 1...30
    case .wrongHost:
      contents.commonName = "wrong.example"
      contents.names = "DNS:wrong.example"
    case .noSAN: contents.names = nil
    case .clientOnly: contents.isClient = true
    case .smallKey: contents.bits = 1024
    case .sha1: contents.isSignedOverSHA1 = true
    case .manyNames: contents.names = (0..<5000).map { "DNS:n\($0).example," }.joined() + Self.ownNames
    default: break
    }
    return contents
  }
}
