// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The dictionary of proxies that a program sets and reads back (B.4).
package struct ProxySettings: Sendable, Hashable {
  private enum Value: Sendable, Hashable {
    case number(Int)
    case text(String)
    case list([String])

    init(_ value: Any) {
      switch value {
      case let value as [Any]: self = .list(value.map { "\($0)" })
      case let value as String: self = .text(value)
      case let value as Bool: self = .number(value ? 1 : 0)
      case let value as Int: self = .number(value)
      case let value as NSNumber: self = .number(value.intValue)
      default: self = .text("\(value)")
      }
    }

    var plain: Any {
      switch self {
      case .number(let number): number
      case .text(let text): text
      case .list(let list): list
      }
    }
  }

  private var values: [String: Value] = [:]

  /// The settings of `dictionary`; keys are compared as text.
  package init(_ dictionary: [AnyHashable: Any]) {
    for (key, value) in dictionary { values["\(key.base)"] = Value(value) }
  }

  /// The same to be read back, with numbers as `Int`, lists as `[String]` and all else as `String`.
  package var dictionary: [AnyHashable: Any] {
    Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.key), $0.value.plain) })
  }

  /// The same without the names and passwords of users.
  package var withoutCredentials: ProxySettings {
    var rest = self
    rest.values = values.filter { key, value in
      if case .text(let text) = value, text.contains("@") { return false }
      return !["username", "password"].contains { key.lowercased().contains($0) }
    }
    return rest
  }

  func text(_ key: String) -> String? { if case .text(let text) = values[key] { text } else { nil } }

  func list(_ key: String) -> [String] { if case .list(let list) = values[key] { list } else { [] } }

  /// A number, also one that is written as text.
  func number(_ key: String) -> Int? {
    switch values[key] {
    case .number(let number): number
    case .text(let text): Int(text)
    case .list, nil: nil
    }
  }

  func isOn(_ key: String) -> Bool { (number(key) ?? 0) != 0 }
}

/// Written as the bytes of a JSON object.
extension ProxySettings: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let object = try JSONSerialization.jsonObject(with: container.decode(Data.self))
    guard let all = object as? [String: Any] else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "The proxies are no dictionary.")
    }
    for (key, value) in all { values[key] = Value(value) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(JSONSerialization.data(withJSONObject: values.mapValues(\.plain), options: .sortedKeys))
  }
}
