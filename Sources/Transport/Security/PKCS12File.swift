// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Why a PKCS #12 file (RFC 7292) does not open.
public enum PKCS12Fault: Error {
  /// The bytes are none.
  case noFile
  /// The passphrase is another.
  case wrongPassphrase
  /// It holds no private key with its certificate.
  case noIdentity
  /// OpenSSL cannot read what is in it, as where its algorithms are out of use.
  case unreadable
}

/// The first identity in a PKCS #12 file, as OpenSSL's objects. Whoever reads it frees them.
@unsafe
struct PKCS12File {
  let certificate: OpaquePointer
  let key: OpaquePointer
  let others: [OpaquePointer]

  /// Opens the file.
  static func read(_ bytes: [UInt8], _ passphrase: String) throws(PKCS12Fault) -> PKCS12File {
    ERR_clear_error()
    var start: UnsafePointer<UInt8>?
    let file = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe start = buffer.baseAddress
      return unsafe d2i_PKCS12(nil, &start, buffer.count)
    }
    defer {
      unsafe PKCS12_free(file)
      ERR_clear_error()
    }
    guard let file = unsafe file else { throw .noFile }
    // OpenSSL reads a passphrase up to its first NUL.
    guard !passphrase.utf8.contains(0) else { throw .wrongPassphrase }
    try unsafe check(file, passphrase)
    var (key, certificate, stack): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    let isParsed = unsafe PKCS12_parse(file, passphrase, &key, &certificate, &stack) == 1
    let others = unsafe (0..<max(0, OPENSSL_sk_num(stack))).compactMap {
      unsafe OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) }
    }
    unsafe OPENSSL_sk_free(stack)
    guard isParsed, let key = unsafe key, let certificate = unsafe certificate else {
      unsafe EVP_PKEY_free(key)
      unsafe X509_free(certificate)
      unsafe PeerCertificates.free(others)
      throw isParsed ? .noIdentity : unsafe fault(of: file)
    }
    return unsafe PKCS12File(certificate: certificate, key: key, others: others)
  }

  /// Compares the code over the contents that the passphrase makes (RFC 7292 section 4). An empty passphrase may stand for none,
  /// as OpenSSL and others write it.
  private static func check(_ file: OpaquePointer, _ passphrase: String) throws(PKCS12Fault) {
    guard unsafe PKCS12_mac_present(file) == 1 else { return }
    if unsafe PKCS12_verify_mac(file, passphrase, -1) == 1 { return }
    if passphrase.isEmpty, unsafe PKCS12_verify_mac(file, nil, 0) == 1 { return }
    // A code that differs is no error of OpenSSL's; one that it cannot make is.
    throw ERR_peek_error() == 0 ? .wrongPassphrase : .unreadable
  }

  /// OpenSSL 3.0 reads no file without a code over its contents. Later ones do, and there a wrong passphrase shows in the decryption
  /// alone.
  private static func fault(of file: OpaquePointer) -> PKCS12Fault {
    let isOpened = unsafe PKCS12_mac_present(file) == 1 || ERR_GET_REASON(ERR_peek_error()) == PKCS12_R_MAC_ABSENT
    return isOpened ? .unreadable : .wrongPassphrase
  }
}
