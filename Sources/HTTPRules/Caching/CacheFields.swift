// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The header fields of a message, found by name in any case. Fields of one name are joined with commas, as the rules of
/// RFC 9111 read them. Pure.
package struct CacheFields: Hashable, Sendable {
  private var values: [String: String] = [:]
  /// The directives of Cache-Control, read once.
  package private(set) var directives = CacheDirectives(nil)
  /// True if these are known to be the fields that every request has, none of which speaks of caching.
  package let isStanding: Bool

  /// No fields.
  package static let none = CacheFields([:] as [String: String])

  package var isEmpty: Bool { values.isEmpty }

  package init(_ fields: [String: String]) {
    isStanding = false
    for (name, value) in fields { add(name, value) }
    readDirectives()
  }

  package init(_ fields: [HeaderField], isStanding: Bool = false) {
    self.isStanding = isStanding
    for field in fields { add(field.name, field.value) }
    readDirectives()
  }

  package static func == (left: CacheFields, right: CacheFields) -> Bool { left.values == right.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }

  private mutating func add(_ name: String, _ value: String) {
    let name = name.lowercased()
    values[name] = values[name].map { $0 + ", " + value } ?? value
  }

  private mutating func readDirectives() {
    if let text = values["cache-control"] { directives = CacheDirectives(text) }
  }

  /// The value of the fields of this name, which is written in small letters.
  package subscript(name: String) -> String? { values[name] }

  /// The names that a response's Vary lists, in small letters; nil where it has `*`, which no request matches.
  package var selectors: [String]? {
    guard let vary = values["vary"] else { return [] }
    let names = vary.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    return names.contains("*") ? nil : Array(Set(names)).filter { !$0.isEmpty }.sorted()
  }

  /// Seconds since 1970 of a field with a date (RFC 9110 section 5.6.7); nil without one or when it is none. `now` decides the
  /// century of a year with two digits.
  package func date(_ name: String, now: Int64) -> Int64? {
    values[name].flatMap { HTTPDate.seconds($0, now: now) }
  }
}
