// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A language that the workbench speaks to its students.
public enum Language: String, Codable, Sendable, Hashable, CaseIterable {
  /// English.
  case english = "en"
  /// Simplified Chinese.
  case simplifiedChinese = "zh-Hans"

  /// The language that the environment asks for: the first of LC_ALL, LC_MESSAGES and LANG that is set decides
  /// (POSIX, Base Definitions 8.2), and a value that begins with `zh` means Simplified Chinese. English otherwise.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    self = Self(named: locale) ?? .english
  }

  /// The language that a person or a locale calls so, in any case: `zh`, `zh-Hans`, `zh-CN` and `zh_CN.UTF-8` mean Simplified
  /// Chinese, and so does every other Chinese; `en`, `en_US` and the like mean English. Nil for a language without texts.
  public init?(named name: String) {
    switch name.lowercased().prefix(while: \.isLetter) {
    case "zh": self = .simplifiedChinese
    case "en": self = .english
    default: return nil
    }
  }

  /// The file of a text in this language: `lesson.md` in English, `lesson.zh-Hans.md` in Simplified Chinese.
  public func file(_ name: String) -> String { self == .english ? "\(name).md" : "\(name).\(rawValue).md" }
}
