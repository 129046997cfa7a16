// SPDX-License-Identifier: Apache-2.0
import HTTPRules

/// How the end of a response's body is known (RFC 9112 section 6.3), from fields that leave no doubt.
struct MessageFraming: Equatable {
  /// The body's length in bytes before decoding; nil when only its end shows it.
  var contentLength: Int64?
  /// True if the body is chunked.
  var isChunked = false
  /// True if Content-Length and Transfer-Encoding arrived together: such a connection must not be used again.
  var isAmbiguous = false
  /// The content codings, in the order in which they were applied; empty when one of them is unknown.
  var codings: [ContentCoding] = []

  /// Judges the fields of a final head.
  /// - Throws: a `malformedResponse` for lengths that are no number, contradict each other or exceed 63 bits, for an
  ///   unknown transfer coding, and for chunks where the version has none.
  init(
    status: Int, version: String, fields: [HeaderField], requestMethod: String
  ) throws(TransferFailure) {
    var length: Int64?
    for field in fields {
      switch field.name.utf8.count {
      case 14 where field.isNamed("content-length"):
        length = try Self.length(field.value, knownLength: length)
      case 16 where field.isNamed("content-encoding"):
        codings += try Self.codings(field.value)
      case 17 where field.isNamed("transfer-encoding"):
        try applyTransferCoding(field.value, version: version)
      default: break
      }
    }
    isAmbiguous = isChunked && length != nil
    contentLength = isChunked ? nil : length
    if Self.hasNoBody(status: status, requestMethod: requestMethod) { codings = [] }
    if status == 204 || status == 205 || status == 304, requestMethod != "HEAD" { contentLength = 0 }
  }

  /// RFC 9112 section 6.3: HEAD, 1xx, 204 and 304 have no body whatever their fields say; RFC 9110 section 15.3.6
  /// forbids one for 205.
  static func hasNoBody(status: Int, requestMethod: String) -> Bool {
    requestMethod == "HEAD" || status == 204 || status == 205 || status == 304
  }

  /// RFC 9110 section 8.6: digits only; a list of equal values counts as one; anything else must be refused.
  private static func length(_ value: String, knownLength: Int64?) throws(TransferFailure) -> Int64 {
    if knownLength == nil, value.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Int64(value) { return number }
    var known = knownLength
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = part.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
      guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }),
        let number = Int64(String(decoding: Array(digits), as: UTF8.self))
      else { throw .malformed("The response's Content-Length is '\(value.prefix(40))', which is not a length.") }
      guard known == nil || known == number else {
        throw .malformed("The response gives two lengths, \(known ?? 0) and \(number).")
      }
      known = number
    }
    guard let known else { throw .malformed("The response's Content-Length is empty.") }
    return known
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  private mutating func applyTransferCoding(_ value: String, version: String) throws(TransferFailure) {
    let isPlainChunked = value.lowercased() == "chunked"
    guard isPlainChunked, !isChunked, version == "HTTP/1.1" else {
      throw .malformed("The response has the transfer coding '\(value.prefix(40))' in \(version).")
    }
    isChunked = true
  }

  /// The known codings of a Content-Encoding, or a coding list that is left alone.
  private static func codings(_ value: String) throws(TransferFailure) -> [ContentCoding] {
    let tokens = value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
      .filter { !$0.isEmpty && $0.lowercased() != "identity" }
    guard tokens.count <= 4 else {
      // Each layer multiplies what a small body can grow to (CVE-2023-23916).
      throw TransferFailure(.undecodableContent, description: "The response's body is coded \(tokens.count) times.")
    }
    let known = tokens.compactMap { ContentCoding(token: $0) }
    return known.count == tokens.count ? known : []
  }
}
