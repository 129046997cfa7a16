// SPDX-License-Identifier: Apache-2.0

/// The subject of a lesson: one figure, and two examples beside each other that it tells apart.
///
/// The first is the wrong form, the second the right one, where the lesson has a wrong form of the matter; some lessons
/// compare two programs that are both right.
public struct Subject: Codable, Sendable, Hashable {
  /// The title of the figure, such as "callbacks in the touch".
  public var title: Phrase
  /// The figure.
  public var metric: Metric
  /// The ids of the two examples.
  public var examples: [String]
  /// True if the first of them is the wrong form.
  public var hasWrongForm: Bool

  /// The wrong form beside the right one.
  public static func of(_ title: Phrase, _ metric: Metric, wrong: String, right: String) -> Subject {
    Subject(title: title, metric: metric, examples: [wrong, right], hasWrongForm: true)
  }

  /// Two programs that are both right.
  public static func of(_ title: Phrase, _ metric: Metric, _ first: String, beside second: String) -> Subject {
    Subject(title: title, metric: metric, examples: [first, second], hasWrongForm: false)
  }
}
