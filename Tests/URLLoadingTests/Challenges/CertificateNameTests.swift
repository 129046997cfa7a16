// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

/// The names that a certificate is shown by (TL-24).
@Suite struct CertificateNameTests {
  private static func commonName(_ certificate: SecCertificate) -> (OSStatus, String?) {
    var name: CFString?
    let status = SecCertificateCopyCommonName(certificate, &name)
    return (status, name as String?)
  }

  @Test(arguments: [
    ([("O", "Firm"), ("OU", "Unit"), ("CN", "anna")], "anna"),
    ([("CN", "anna"), ("CN", "bert"), ("OU", "Unit")], "bert"),
    ([("CN", "Zoë 名"), ("C", "CH")], "Zoë 名"),
    ([("O", "Firm"), ("OU", "Unit")], "Unit"),
    ([("C", "CH"), ("O", "Firm")], "Firm"),
    ([("emailAddress", "one@a.test")], "one@a.test"),
    ([("C", "CH")], "two@a.test"),
  ])
  func `the summary is the nearest name (TL-24)`(parts: [(String, String)], summary: String) throws {
    let certificate = try MadeCertificates.certificate(parts, names: "DNS:host.test,email:two@a.test")
    #expect(SecCertificateCopySubjectSummary(certificate) as String? == summary)
  }

  @Test func `a host is the last resort of a summary, and no name gives none (TL-24)`() throws {
    let host = try MadeCertificates.certificate([], names: "IP:127.0.0.1,DNS:host.test")
    #expect(SecCertificateCopySubjectSummary(host) as String? == "host.test")
    #expect(SecCertificateCopySubjectSummary(try MadeCertificates.certificate([])) == nil)
    #expect(SecCertificateCopySubjectSummary(SecCertificate([1, 2, 3])) == nil)
  }

  @Test func `a common name is the last one, or an error (TL-24)`() throws {
    let two = try MadeCertificates.certificate([("CN", "anna"), ("O", "Firm"), ("CN", "bert")])
    var name: CFString?
    // The result may be left unread, as everywhere in what Swift imports from C.
    SecCertificateCopyCommonName(two, &name)
    #expect(name == "bert")
    #expect(Self.commonName(two) == (errSecSuccess, "bert"))
    #expect(Self.commonName(try MadeCertificates.certificate([("O", "Firm")])) == (-26276, nil))
    #expect(Self.commonName(SecCertificate([])) == (-26276, nil))
  }
}
