// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A request's line and fields as they arrived, and what follows from them for the framing of its body.
///
/// The parser takes what a client under test may send, also what it should not, because the log must show it; it only
/// refuses what leaves the end of the body unknown.
public struct RequestHead: Sendable {
  /// How the end of the request's body is found (RFC 9112 section 6.3).
  enum Framing: Sendable, Equatable {
    case length(Int64)
    case chunked
    case unknown
  }

  /// All bytes up to and with the empty line.
  let raw: [UInt8]
  /// The method, as sent.
  public let method: String
  /// Path and query, as sent.
  public let target: String
  /// The version, as sent, such as `HTTP/1.1`.
  public let version: String
  /// All header fields in order.
  public let fields: [HeaderField]
  let framing: Framing
  let keepsAlive: Bool
  let expectsContinue: Bool

  /// Takes a head apart; the bytes end with an empty line.
  init(_ raw: [UInt8]) {
    let lines = Self.lines(of: raw)
    let words = (lines.first ?? []).split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
    let parts = words.map { Self.latin1($0) } + ["", "", ""]
    self.init(
      raw: raw, method: parts[0], target: parts[1], version: parts[2],
      fields: lines.dropFirst().map { Self.field($0) })
  }

  init(raw: [UInt8], method: String, target: String, version: String, fields: [HeaderField]) {
    self.raw = raw
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    framing = Self.framing(of: fields)
    let connection = Self.first("connection", in: fields)?.lowercased() ?? ""
    keepsAlive = version == "HTTP/1.0" ? connection.contains("keep-alive") : !connection.contains("close")
    expectsContinue = Self.first("expect", in: fields)?.lowercased() == "100-continue"
  }

  /// The value of the first field of this name, in whatever case, or nil.
  public subscript(name: String) -> String? { Self.first(name.lowercased(), in: fields) }

  /// The target up to its query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The query's items in order, with `%XX` and `+` decoded; an item without `=` has an empty value.
  public var query: [(name: String, value: String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (PercentCoding.decode(sides[0]), sides.count > 1 ? PercentCoding.decode(sides[1]) : "")
    }
  }

  /// True if the request is for a name or number that leads to this machine wherever it is asked (RFC 6761 section 6.3),
  /// or names none, as HTTP/1.0 may.
  var isForLoopback: Bool {
    guard let authority = self["host"] ?? self[":authority"], !authority.isEmpty else { return true }
    let host = authority.lowercased()
    if host.hasPrefix("[") { return host.hasPrefix("[::1]") }
    let name = host.prefix { $0 != ":" }
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    let isNumeric = numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    return isNumeric || name == "localhost" || name.hasSuffix(".localhost")
  }

  /// The lines of a head without their ends, those of the empty line left out.
  static func lines(of raw: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = raw.split(separator: 10, omittingEmptySubsequences: false).map { $0.last == 13 ? $0.dropLast() : $0 }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  static func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  private static func field(_ line: ArraySlice<UInt8>) -> HeaderField {
    guard let colon = line.firstIndex(of: 58) else { return HeaderField(latin1(line), "") }
    let value = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
    let end = value.lastIndex { $0 != 32 && $0 != 9 }.map { $0 + 1 } ?? value.startIndex
    return HeaderField(latin1(line[..<colon]), latin1(value[..<end]))
  }

  private static func first(_ lowercasedName: String, in fields: [HeaderField]) -> String? {
    fields.first { $0.name.lowercased() == lowercasedName }?.value
  }

  private static func framing(of fields: [HeaderField]) -> Framing {
    if let coding = first("transfer-encoding", in: fields) {
      return coding.lowercased() == "chunked" ? .chunked : .unknown
    }
    guard let length = first("content-length", in: fields) else { return .length(0) }
    guard let count = Int64(length), count >= 0 else { return .unknown }
    return .length(count)
  }
}

/// `%XX` as in RFC 3986 section 2.1, and `+` for a space as forms write it.
enum PercentCoding {
  static func decode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 37, rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == 43 ? 32 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
