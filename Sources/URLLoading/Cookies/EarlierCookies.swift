// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import HTTPRules

/// The cookies of before this library had a store of its own: in the program's file as 0.1.0 let the toolchain write it, else in
/// the file of the toolchain's shared store. Both are property lists, which are read here without the toolchain, whose
/// parser some bytes end the process with (faults 0.2).
enum EarlierCookies {
  /// How the toolchain's lists begin; with another encoding they are no such list to it.
  private static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

  /// Takes the toolchain's over, once: where the program has no file of its own, and none was put aside, one with those cookies
  /// is made, or one without any. May block.
  static func takeOver(at place: CookiePlace) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.ownFolder.path)) ?? []
    guard !names.contains(where: { $0.hasPrefix(CookiePlace.fileName) }) else { return }
    var log = CookieLog(place.file)
    _ = log.replace(
      with: BoundedRead.bytes(of: place.legacyFile.path, limit: CookieLog.sizeLimit).flatMap(records) ?? [],
      onlyWhereNone: true)
  }

  /// Reads the records of such a list; nil for bytes that are none. Entries that are no cookies are left out.
  static func records(in bytes: [UInt8]) -> [CookieLog.Record]? {
    guard bytes.starts(with: beginning.utf8), case .dictionary(let cookies)? = PropertyList(lenient: bytes) else {
      return nil
    }
    var records: [CookieLog.Record] = []
    for case let cookie in cookies.values {
      guard case .dictionary(let entries) = cookie else { return nil }
      if let facts = facts(of: entries) { records.append(CookieLog.Record(facts: facts)) }
    }
    return records
  }

  private static func facts(of entries: [String: PropertyList]) -> CookieFacts? {
    func text(_ key: String) -> String? { if case .string(let text)? = entries[key] { text } else { nil } }
    guard let name = text("Name"), let value = text("Value"), let domain = text("Domain")?.lowercased(), !name.isEmpty,
      !domain.isEmpty, let seconds = number(entries["Expires"]), seconds.isFinite
    else { return nil }
    let isHostOnly = !domain.hasPrefix(".")
    let note = Note(text("Comment"))
    return CookieFacts(
      name: name, value: value, domain: isHostOnly ? domain : String(domain.dropFirst()), isHostOnly: isHostOnly,
      path: text("Path") ?? "/", expires: Date(timeIntervalSince1970: seconds),
      isSecure: note?.isSecure == true || text("Secure") == "TRUE", isHTTPOnly: note?.isHTTPOnly == true,
      created: note?.created ?? Date(timeIntervalSinceReferenceDate: 0))
  }

  private static func number(_ entry: PropertyList?) -> Double? {
    switch entry {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The note that 0.1.0 wrote into a cookie's comment, because the toolchain's file forgot it.
  private struct Note {
    var created: Date
    var isSecure: Bool
    var isHTTPOnly: Bool

    init?(_ comment: String?) {
      let words = comment?.split(separator: " ") ?? []
      guard words.count >= 2, words[0] == "workbench", let seconds = Double(words[1]), seconds.isFinite else {
        return nil
      }
      created = Date(timeIntervalSinceReferenceDate: seconds)
      isSecure = words.contains("secure")
      isHTTPOnly = words.contains("httponly")
    }
  }
}
