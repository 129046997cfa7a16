// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// A stored response as one file: a first line, the digest of all that follows, texts with their lengths, the body. Pure; takes any
/// bytes.
///
/// The texts are key, URL, status, whether the body is decoded, the two times of the exchange, what the program keeps, how many
/// selectors there are, the selectors, and the fields. A number in front of a text, of four bytes in little-endian order, says
/// how many bytes it has; one in front of them all, how many texts there are.
enum ResponseFile {
  private static let beginning = Array("workbench-response 1\n".utf8)
  private static let textLimit = 100_000

  static func bytes(_ stored: StoredResponse) -> [UInt8] {
    let head = stored.head
    var texts = [
      head.key.text, head.url.absoluteString, "\(head.status)", head.isDecoded ? "1" : "0",
      head.provenance.map { "\($0.requested)" } ?? "", head.provenance.map { "\($0.received)" } ?? "",
      head.userInfo.map { String(decoding: $0, as: UTF8.self) } ?? "", "\(head.selectors.count)",
    ]
    for (name, digest) in head.selectors { texts += [name, String(digest, radix: 16)] }
    for field in head.fields { texts += [field.name, field.value] }
    var rest: [UInt8] = []
    rest.reserveCapacity(stored.length + 200 + 8 * texts.count)
    append(texts.count, to: &rest)
    for text in texts {
      append(text.utf8.count, to: &rest)
      rest += text.utf8
    }
    rest += stored.body
    return sealed(rest)
  }

  /// First line and digest in front of what follows them.
  static func sealed(_ rest: [UInt8]) -> [UInt8] { beginning + bytes(of: DamageDigest.of(rest[...])) + rest }

  /// Reads the response in such bytes; nil where one of them is not what was written.
  static func response(_ bytes: [UInt8]) -> StoredResponse? {
    guard bytes.starts(with: beginning), bytes.count >= beginning.count + 8 else { return nil }
    let rest = bytes[(beginning.count + 8)...]
    let digest = bytes[beginning.count..<rest.startIndex]
    guard digest.elementsEqual(self.bytes(of: DamageDigest.of(rest))) else { return nil }
    var reader = Reader(rest: rest)
    guard let count = reader.number(), (8...textLimit).contains(count) else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = reader.text() else { return nil }
      texts.append(text)
    }
    return head(texts).map { StoredResponse($0, Data(reader.rest)) }
  }

  private static func head(_ texts: [String]) -> StoredHead? {
    guard let url = URL(string: texts[1]), let status = Int(texts[2]), (0...999).contains(status),
      let count = Int(texts[7]), (0...(texts.count - 8) / 2).contains(count), texts.count % 2 == 0
    else { return nil }
    var selectors: [String: UInt64] = [:]
    for index in stride(from: 8, to: 8 + 2 * count, by: 2) {
      selectors[texts[index]] = UInt64(texts[index + 1], radix: 16)
    }
    let fields = stride(from: 8 + 2 * count, to: texts.count, by: 2).map {
      HeaderField(name: texts[$0], value: texts[$0 + 1])
    }
    let provenance = Int64(texts[4]).flatMap { requested in
      Int64(texts[5]).map { CacheRules.Provenance(requested: requested, received: $0, selectors: selectors) }
    }
    return StoredHead(
      key: CacheKey(text: texts[0]), url: url, status: status, fields: fields, isDecoded: texts[3] == "1",
      provenance: provenance, selectors: selectors, userInfo: texts[6].isEmpty ? nil : Data(texts[6].utf8))
  }

  // MARK: - Numbers

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func bytes(of digest: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: digest >> (8 * $0)) }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func number() -> Int? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func text() -> String? {
      guard let count = number(), count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return String(decoding: rest.prefix(count), as: UTF8.self)
    }
  }
}
