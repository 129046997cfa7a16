// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import LessonServer
import Testing

@testable import Transport

/// TL-03 and TL-09: which names a certificate is for.
@Suite struct HostNameTests {
  private static func isFor(_ host: String, names: String) throws -> Bool {
    var settings = TLSSettings(authority: try CertificateAuthority())
    settings.names = names
    let pem = try settings.makeCertificate()
    let read = pem.withCString { text in
      let memory = BIO_new_mem_buf(text, -1)
      defer { BIO_free(memory) }
      return PEM_read_bio_X509(memory, nil, nil, nil)
    }
    let certificate = try #require(read)
    defer { X509_free(certificate) }
    return PeerCertificates.isFor(host, certificate)
  }

  @Test(arguments: [
    ("DNS:a.example", "a.example", true), ("DNS:a.example", "A.Example", true), ("DNS:a.example", "a.example.", true),
    ("IP:127.0.0.1", "127.0.0.1", true), ("IP:::1", "::1", true), ("DNS:*.b.example", "a.b.example", true),
    ("DNS:*.b.example", "b.example", false), ("DNS:*.b.example", "x.a.b.example", false),
    ("DNS:*", "example", false), ("DNS:a*.b.example", "ab.b.example", false), ("IP:127.0.0.1", "127.0.0.2", false),
    ("DNS:127.0.0.1", "127.0.0.1", false),
  ]) func `a name is compared as RFC 9110 section 4_3_4 wants`(names: String, host: String, isRight: Bool) throws {
    #expect(try Self.isFor(host, names: names) == isRight)
  }
}
