// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import HTTPRules
import Transport

/// The toolchain's response over a head that we have judged. What the toolchain would take from hostile fields as it
/// comes is overridden.
package class LoadedResponse: HTTPURLResponse, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.

  private let isDecoded: Bool
  /// nil where the server sends no Content-Type that is one.
  private let mediaType: MediaType?

  /// A response for `head`, which came from `url`. Fields of one name are joined with a comma (RFC 9110 section 5.2).
  convenience init?(_ head: ResponseHead, url: URL) {
    self.init(
      url: url, status: head.status, version: head.version, fields: Self.joined(head.fields),
      isDecoded: !head.decodedCodings.isEmpty)
  }

  static func joined(_ fields: [HeaderField]) -> [String: String] {
    var values: [String: String] = [:]
    values.reserveCapacity(fields.count)
    var spelling: [String: String] = [:]
    for field in fields {
      let key = field.name.lowercased()
      if let name = spelling[key] {
        values[name, default: ""].append(", " + field.value)
      } else {
        spelling[key] = field.name
        values[field.name] = field.value
      }
    }
    return values
  }

  /// A response with these fields, one of each name. `isDecoded`: its body is delivered without the coding in which it
  /// was sent.
  package init?(url: URL, status: Int, version: String, fields: [String: String], isDecoded: Bool) {
    self.isDecoded = isDecoded
    mediaType = Self.value(of: "content-type", in: fields).flatMap { MediaType(field: $0) }
    super.init(url: url, statusCode: status, httpVersion: version, headerFields: fields)
  }

  /// The value of a field of any spelling; `name` is in small letters.
  private static func value(of name: String, in fields: [String: String]) -> String? {
    fields.first { $0.key.utf8.count == name.utf8.count && $0.key.lowercased() == name }?.value
  }

  /// Not supported: the toolchain's archives of responses trap on hostile bytes.
  package required init?(coder: NSCoder) {
    nil
  }

  /// The body's length in bytes, as it is delivered: -1 where it is unknown before, which includes a body that is
  /// decoded on its way (A.7, B.16). The toolchain takes the Content-Length for it.
  package override var expectedContentLength: Int64 { isDecoded ? -1 : lengthOnWire }

  /// The body's length as it is sent; -1 where the server does not send it. Of a list, whose members were found equal, it is the
  /// first (RFC 9110 section 8.6).
  var lengthOnWire: Int64 {
    let length = super.expectedContentLength
    guard length < 0, let first = value(forHTTPHeaderField: "Content-Length")?.split(separator: ",").first else {
      return length
    }
    return Int64(first.filter { $0 != " " && $0 != "\t" }) ?? -1
  }

  /// Type and subtype of the body in small letters; nil where the server sends none that is one.
  package override var mimeType: String? { mediaType?.name }

  /// The body's character set in small letters, an IANA name as the server sends it; nil where it sends none.
  package override var textEncodingName: String? { mediaType?.charset }

  /// Archived as the toolchain's.
  package override var classForCoder: AnyClass { HTTPURLResponse.self }

  /// The file name the server proposes, as one path component that stays where it is put: never `.`, `..`, empty,
  /// hidden, with a slash, a backslash or a control character.
  package override var suggestedFilename: String? {
    let proposed = ContentDisposition.names(in: value(forHTTPHeaderField: "Content-Disposition") ?? "")
    return proposed.lazy.compactMap { SafeFilename.component($0) }.first
      ?? SafeFilename.component(url?.lastPathComponent) ?? "Unknown"
  }
}
