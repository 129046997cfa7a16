// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The three messages of NTLM as a server reads and writes them ([MS-NLMP] section 2.2.1).
enum NTLMMessage {
  /// Begins a login; says nothing that matters here.
  case negotiate
  /// Says who logs in, and proves that the user knows the password.
  case authenticate(NTLMAnswer)

  private static let signature = Array("NTLMSSP\0".utf8)

  /// nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.signature), bytes.count >= 12 else { return nil }
    switch bytes[8] {
    case 1: self = .negotiate
    case 3:
      guard let answer = NTLMAnswer(bytes) else { return nil }
      self = .authenticate(answer)
    default: return nil
    }
  }

  /// The server's challenge: eight bytes, and whom the server is.
  static func challenge(_ nonce: [UInt8], domain: String) -> [UInt8] {
    let name = Self.utf16(domain)
    // MsvAvNbDomainName and MsvAvNbComputerName (section 2.2.2.1), then the end of the list.
    let info = [2, 0] + Self.short(name.count) + name + [1, 0] + Self.short(name.count) + name + [0, 0, 0, 0]
    // UNICODE, REQUEST_TARGET, NTLM, TARGET_TYPE_SERVER, EXTENDED_SESSIONSECURITY and TARGET_INFO (section 2.2.2.5): with
    // the last two libcurl answers by NTLMv2.
    let flags: [UInt8] = [0x05, 0x02, 0x8a, 0x00]
    let start = 48
    var bytes = signature + [2, 0, 0, 0]
    bytes += Self.field(name.count, at: start) + flags + nonce + [UInt8](repeating: 0, count: 8)
    bytes += Self.field(info.count, at: start + name.count)
    return bytes + name + info
  }

  /// Little-endian UTF-16, in which all names stand.
  static func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
  }

  private static func short(_ value: Int) -> [UInt8] { [UInt8(value & 0xff), UInt8(value >> 8)] }

  /// Length, room and place of a part.
  private static func field(_ count: Int, at offset: Int) -> [UInt8] {
    short(count) + short(count) + short(offset) + [0, 0]
  }
}

/// A client's statement about itself in its last message.
struct NTLMAnswer {
  let user: String
  let domain: String
  /// The proof, 16 bytes, and what was proved with it.
  let proof: [UInt8]
  let proved: [UInt8]

  fileprivate init?(_ bytes: [UInt8]) {
    func part(_ place: Int) -> [UInt8]? {
      guard bytes.count >= place + 8 else { return nil }
      let count = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      let offset = Int(bytes[place + 4]) | Int(bytes[place + 5]) << 8 | Int(bytes[place + 6]) << 16
      return offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
    }
    func text(_ bytes: [UInt8]) -> String {
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
      return String(decoding: units, as: UTF16.self)
    }
    // An answer without what follows the proof is one of the version before NTLMv2.
    guard let response = part(20), let domain = part(28), let user = part(36), response.count > 24 else { return nil }
    (self.user, self.domain) = (text(user), text(domain))
    (proof, proved) = (Array(response.prefix(16)), Array(response.dropFirst(16)))
  }

  /// True if the user knows this password (section 3.3.2).
  func knows(_ password: String, challenge: [UInt8]) -> Bool {
    let owner = Self.keyed(MD4.hash(NTLMMessage.utf16(password)), NTLMMessage.utf16(user.uppercased() + domain))
    return Self.keyed(owner, challenge + proved) == proof
  }

  /// HMAC with MD5 (RFC 2104).
  private static func keyed(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    let key = key + [UInt8](repeating: 0, count: 64 - key.count)
    return md5(key.map { $0 ^ 0x5c } + md5(key.map { $0 ^ 0x36 } + bytes))
  }

  private static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 16)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil)
    return digest
  }
}
