// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Testing

@testable import LessonServer
@testable import URLLoading

/// Identities out of files (TL-27).
@Suite struct PKCS12ImportTests {
  private static func items(_ file: Data, _ options: CFDictionary) -> (status: OSStatus, items: [[String: Any]]?) {
    var items: CFArray?
    let status = SecPKCS12Import(file as CFData, options, &items)
    return (status, items as? [[String: Any]])
  }

  private static func items(_ file: Data, _ passphrase: String) -> (status: OSStatus, items: [[String: Any]]?) {
    items(file, [kSecImportExportPassphrase as String: passphrase] as CFDictionary)
  }

  @Test func `a file gives its identity, names, chain and trust (TL-27)`() throws {
    let (client, middle, root) = try MadeCertificates.clientChain()
    let stranger = try Certificate(.init(commonName: "Stranger", isAuthority: true))
    let file = try MadeCertificates.file(
      client, [root, stranger, middle], passphrase: "óffen", label: "Anna's key")
    let (status, items) = Self.items(file, "óffen")
    #expect(status == errSecSuccess && items?.count == 1)
    let item = try #require(items?.first)
    let chain = [try client.shown, try middle.shown, try root.shown]
    #expect(item[kSecImportItemCertChain as String] as? [SecCertificate] == chain)
    #expect(item[kSecImportItemLabel as String] as? String == "Anna's key")
    #expect((item[kSecImportItemKeyID as String] as? Data)?.count == 20)
    let identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
    var certificate: SecCertificate?
    #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess && certificate == chain.first)
    let trust = try #require(item[kSecImportItemTrust as String] as? SecTrust)
    #expect(!SecTrustEvaluateWithError(trust, nil))
    SecTrustSetAnchorCertificates(trust, [chain[2]] as CFArray)
    #expect(SecTrustEvaluateWithError(trust, nil))
  }

  @Test func `a file without names has the hash of its key for a number (TL-27)`() throws {
    let client = try MadeCertificates.clientChain().client
    let file = try MadeCertificates.file(client, passphrase: "open", isNamed: false)
    let item = try #require(Self.items(file, "open").items?.first)
    #expect(item[kSecImportItemLabel as String] == nil)
    let key = try #require(SecCertificateCopyKey(try client.shown))
    let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil))
    let number = try #require(item[kSecImportItemKeyID as String] as? Data)
    #expect(Array(number) == MessageDigest.sha1.hash(bytes))
  }

  @Test func `a file without a code over its contents opens with its passphrase, or not at all (TL-27)`() throws {
    let file = try MadeCertificates.file(try MadeCertificates.clientChain().client, passphrase: "open", hasCode: false)
    // OpenSSL 3.0 reads none of them.
    let isRead = Self.items(file, "open").status == errSecSuccess
    #expect(isRead || Self.items(file, "open").status == errSecDecode)
    let (status, items) = Self.items(file, "wrong")
    #expect(status == (isRead ? errSecAuthFailed : errSecDecode) && items == nil)
  }

  @Test func `another passphrase is an error of its own (TL-27)`() throws {
    let client = try MadeCertificates.clientChain().client
    let file = try MadeCertificates.file(client, passphrase: "open")
    for passphrase in ["wrong", "", "open\0", "opened"] {
      let (status, items) = Self.items(file, passphrase)
      #expect(status == errSecAuthFailed && items == nil, "\(passphrase)")
    }
    #expect(Self.items(file, [:]).status == errSecAuthFailed)
    #expect(Self.items(file, [kSecImportExportPassphrase: 7]).status == errSecParam)
    #expect(Self.items(file, "open").status == errSecSuccess)
  }

  @Test func `an empty passphrase is one, and none is the same (TL-27)`() throws {
    let client = try MadeCertificates.clientChain().client
    for passphrase in ["", nil] {
      let file = try MadeCertificates.file(client, passphrase: passphrase)
      #expect(Self.items(file, "").items?.count == 1)
      #expect(Self.items(file, [:]).items?.count == 1)
      #expect(Self.items(file, "open").status == errSecAuthFailed)
    }
  }

  @Test func `what is no such file, or a part of one, is an error, too (TL-27)`() throws {
    let client = try MadeCertificates.clientChain().client
    let file = try MadeCertificates.file(client, passphrase: "open")
    for length in stride(from: 0, to: file.count, by: 7) {
      #expect(Self.items(file.prefix(length), "open").status == errSecDecode)
    }
    #expect(Self.items(SecCertificateCopyData(try client.shown), "open").status == errSecDecode)
    #expect(Self.items(Data(try client.makePEM().utf8), "open").status == errSecDecode)
    // A byte that is another: never an identity, and the code over the contents notices.
    for index in stride(from: 40, to: file.count - 120, by: 41) {
      var damaged = file
      damaged[index] ^= 1
      let (status, items) = Self.items(damaged, "open")
      #expect(status == errSecAuthFailed && items == nil, "\(index)")
    }
  }

  @Test func `a file without a key gives no item (TL-27)`() throws {
    let root = try MadeCertificates.clientChain().root
    let file = try MadeCertificates.file(nil, [root], passphrase: "open")
    let (status, items) = Self.items(file, "open")
    #expect(status == errSecSuccess && items?.isEmpty == true)
  }

  @Test func `options are taken as Apple's code writes them (TL-27)`() throws {
    let file = try MadeCertificates.file(try MadeCertificates.clientChain().client, passphrase: "open")
    let texts: [String: Any] = [kSecImportExportPassphrase as String: "open"]
    let table: NSDictionary = [kSecImportExportPassphrase: NSString(string: "open")]
    #expect(Self.items(file, texts as CFDictionary).items?.count == 1)
    #expect(Self.items(file, try #require(table as? CFDictionary)).items?.count == 1)
  }
}
