// SPDX-License-Identifier: Apache-2.0

/// A part of the course: lessons that follow each other and belong together.
public struct CoursePart: Sendable {
  /// Its title.
  public var title: Phrase
  /// The numbers of its lessons.
  public var lessons: ClosedRange<Int>

  /// A part as given.
  public init(_ title: Phrase, lessons: ClosedRange<Int>) {
    (self.title, self.lessons) = (title, lessons)
  }
}
