// SPDX-License-Identifier: Apache-2.0
import LessonKit
@preconcurrency import Rainbow

/// Colours for a terminal, or none.
struct Paint: Sendable {
  /// The meaning of a piece of text; the colours follow from it.
  enum Role: Sendable {
    case heading, faint, good, doubtful, bad, connection, session, foundation, keyword, string
  }

  private let isOn: Bool

  init(isOn: Bool) {
    self.isOn = isOn
    if isOn { Self.takeOver }
  }

  /// The text in its role's colour.
  func callAsFunction(_ text: String, _ role: Role) -> String {
    guard isOn, !text.isEmpty else { return text }
    switch role {
    case .heading: return text.applyingCodes(Style.bold)
    case .faint: return text.applyingCodes(Style.dim)
    case .good: return text.applyingCodes(NamedColor.green)
    case .doubtful: return text.applyingCodes(NamedColor.yellow)
    case .bad: return text.applyingCodes(NamedColor.red, Style.bold)
    case .connection: return text.applyingCodes(NamedColor.cyan, Style.bold)
    case .keyword: return text.applyingCodes(NamedColor.blue)
    case .string: return text.applyingCodes(NamedColor.green)
    case .foundation: return text.applyingCodes(NamedColor.yellow, Style.bold)
    case .session: return text.applyingCodes(NamedColor.magenta, Style.bold)
    }
  }

  /// The library looks at the terminal by itself; here the caller has already decided, so it is told once to obey.
  private static let takeOver: Void = {
    Rainbow.outputTarget = .console
    Rainbow.enabled = true
  }()
}

extension Paint.Role {
  /// The role of what belongs to a column.
  init(_ side: Side) {
    self =
      switch side {
      case .connection: .connection
      case .session: .session
      case .foundation: .foundation
      }
  }
}
