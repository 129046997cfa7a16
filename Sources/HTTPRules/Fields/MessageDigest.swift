// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A hash function of OpenSSL's.
public enum MessageDigest: Sendable, Hashable {
  /// RFC 1321; only where a protocol asks for it.
  case md5
  /// FIPS 180-4; only where a protocol asks for it (RFC 6455 section 1.3).
  case sha1
  /// FIPS 180-4.
  case sha256
  /// SHA-512 cut to 256 bits (FIPS 180-4).
  case sha512Cut256

  /// The hash of `bytes`; nil when OpenSSL does not offer the function, as MD5 in a FIPS build.
  public func hash(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    guard let function = unsafe function else { return nil }
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard unsafe EVP_Digest(input, input.count, &output, &count, function, nil) == 1 else { return nil }
    return Array(output.prefix(Int(count)))
  }

  /// The hash in lower-case hexadecimal digits.
  public func hex(_ bytes: some Sequence<UInt8>) -> String? { hash(bytes).map(Self.digits) }

  /// The same of bytes that come in pieces: `next` gives one after the other, and nil behind the last.
  public func hex(of next: () throws -> [UInt8]?) rethrows -> String? {
    guard let function = unsafe function, let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestInit_ex(context, function, nil) == 1 else { return nil }
    while let piece = try next() {
      guard unsafe EVP_DigestUpdate(context, piece, piece.count) == 1 else { return nil }
    }
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard unsafe EVP_DigestFinal_ex(context, &output, &count) == 1 else { return nil }
    return Self.digits(Array(output.prefix(Int(count))))
  }

  private static func digits(_ hash: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private var function: OpaquePointer? {
    switch self {
    case .md5: unsafe EVP_md5()
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe EVP_sha256()
    case .sha512Cut256: unsafe EVP_sha512_256()
    }
  }
}
