// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// The key of the passphrase, a text, in the options of `SecPKCS12Import(_:_:_:)`.
public let kSecImportExportPassphrase: CFString = "passphrase"

/// The key of the name that the file gives to an identity, a text; not there where it gives none.
public let kSecImportItemLabel: CFString = "label"

/// The key of the bytes that name an identity's key: the file's own, or else a SHA-1 of the public key.
public let kSecImportItemKeyID: CFString = "keyid"

/// The key of a `SecTrust` in the identity's certificates, to be evaluated by `SecPolicyCreateBasicX509()`.
public let kSecImportItemTrust: CFString = "trust"

/// The key of the identity's certificates, each a `SecCertificate`: its own, then those of the file that lead to an authority.
public let kSecImportItemCertChain: CFString = "chain"

/// The key of the `SecIdentity`.
public let kSecImportItemIdentity: CFString = "identity"

/// The passphrase is another.
public let errSecAuthFailed: OSStatus = -25293

/// The bytes are not what the call reads.
public let errSecDecode: OSStatus = -26275

/// Reads the identity in a PKCS #12 file (RFC 7292). It goes into no keychain: there is none.
///
/// Apple's gives an item for each identity of the file; this one gives the first. Any thread; deriving the key takes some milliseconds,
/// and more where the file asks for it.
/// - Parameters:
///   - data: The file, in DER.
///   - options: `kSecImportExportPassphrase`; without it the file must need none. Others have no effect.
///   - items: Set on success: a list of one table with the keys `kSecImportItem…`, or an empty one where no private key with its
///     certificate is in the file.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` for a wrong passphrase; `errSecDecode` where the bytes are no such file, or its
///   algorithms are ones that OpenSSL has retired (RC2 of 40 bits, as old exports have it); `errSecParam` for a passphrase that is no text.
@discardableResult
public func SecPKCS12Import(
  _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  let passphrase = options[kSecImportExportPassphrase] ?? ""
  guard let passphrase = passphrase as? String else { return errSecParam }
  do {
    let identity = try ClientIdentity(pkcs12: Array(data), opening: passphrase)
    unsafe items.pointee = [importedItem(identity)]
    return errSecSuccess
  } catch {
    switch error {
    case .noIdentity:
      unsafe items.pointee = []
      return errSecSuccess
    case .wrongPassphrase: return errSecAuthFailed
    case .noFile, .unreadable: return errSecDecode
    }
  }
}

/// The table about one identity.
private func importedItem(_ identity: ClientIdentity) -> [String: Any] {
  let certificates = identity.certificates
  let trust = SecTrust(CertificateChain(certificates, host: ""), trusting: nil, by: [SecPolicyCreateBasicX509()])
  var item: [String: Any] = [
    kSecImportItemIdentity: SecIdentity(identity), kSecImportItemTrust: trust,
    kSecImportItemCertChain: certificates.map { SecCertificate($0) },
  ]
  item[kSecImportItemKeyID] = (identity.keyID ?? identity.publicKeyHash).map { Data($0) }
  item[kSecImportItemLabel] = identity.label
  return item
}

/// Gives the certificate of an identity.
/// - Parameter certificate: set to it.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificate.pointee = identity.identity.certificates.first.map { SecCertificate($0) }
  return errSecSuccess
}
