// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// The fields in which every request describes its sender unless the program says otherwise, as Apple's loader does
/// (B.16). Pure, but for `all`.
enum StandingFields {
  /// The library's version, as in `Sources/workbench/Version.swift`.
  static let version = "0.1.0"

  /// The fields of this process, made once.
  static let all: [HeaderField] = {
    let version = Bundle.main.infoDictionary?["CFBundleVersion"] as? String
    let name = Bundle.main.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
    return [
      HeaderField(name: "Accept-Language", value: languages(ProcessInfo.processInfo.environment)),
      HeaderField(name: "User-Agent", value: agent(name, version: version)),
    ]
  }()

  /// `own` with those fields that it lacks.
  static func added(to own: [HeaderField]) -> [HeaderField] {
    own.isEmpty ? all : own + all.filter { field in !own.contains { $0.isNamed(field.name) } }
  }

  /// The fields of a configuration whose loads another process makes, with those of this process that it lacks.
  static func added(to own: [String: String]) -> [String: String] {
    all.reduce(into: own) { fields, field in
      if !own.keys.contains(where: field.isNamed) { fields[field.name] = field.value }
    }
  }

  /// Program and library with their versions. The program that comes with the library has no bundle on Linux to say its
  /// version, which is the library's. What a product's name may not have (RFC 9110 section 10.1.5) is escaped.
  static func agent(_ name: String, version: String?) -> String {
    let version = version ?? (name == "workbench" ? Self.version : nil)
    return "\(token(name, else: "unknown"))/\(token(version ?? "", else: "unknown")) workbench/\(Self.version)"
  }

  private static func token(_ text: String, else other: String) -> String {
    var token = ""
    for byte in text.utf8 {
      let isPlain = HeaderField.isTokenByte(byte) && byte != UInt8(ascii: "%")
      token += isPlain ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
    }
    return token.isEmpty ? other : token
  }

  /// The languages of the process's locale, each with its language alone behind it: `zh-CN,zh;q=0.9`. Foundation does not
  /// look at the environment on Linux, which names them as setlocale(3) and gettext read it.
  static func languages(_ environment: [String: String]) -> String {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let own = Self.tag(locale)
    // gettext looks at LANGUAGE only where the locale has a language at all.
    let list = own == nil ? "" : environment["LANGUAGE"] ?? ""
    let wished = list.split(separator: ":").compactMap { Self.tag(String($0)) }
    var tags: [String] = []
    for tag in wished.isEmpty ? [own ?? "en"] : wished {
      for next in [tag, String(tag.prefix { $0 != "-" })] where !tags.contains(next) { tags.append(next) }
    }
    return tags.prefix(6).enumerated().map { index, tag in
      index == 0 ? tag : "\(tag);q=0.\(10 - index)"
    }.joined(separator: ",")
  }

  /// A locale's name such as `zh_CN.UTF-8` as a language tag; nil for one without a language, as `C` is.
  private static func tag(_ locale: String) -> String? {
    let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count <= 2, let language = parts.first, (2...3).contains(language.utf8.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 8 && $0.utf8.allSatisfy(isLetterOrDigit) })
    else { return nil }
    return parts.joined(separator: "-")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
  }
}

extension CacheFields {
  /// The fields of a request of ours.
  init(ofRequest fields: [HeaderField]) {
    // Most requests say nothing else; where the array is the very same, comparing looks at no field.
    self = fields == StandingFields.all ? Self.standing : CacheFields(fields)
  }

  private static let standing = CacheFields(StandingFields.all, isStanding: true)
}
