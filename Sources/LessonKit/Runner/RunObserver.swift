// SPDX-License-Identifier: Apache-2.0

/// Hears of a run as it goes along. Every closure is called on the run's own task, one after the other.
public struct RunObserver: Sendable {
  /// Called once, before anything runs, with a report that has no lessons yet.
  public var began: @Sendable (RunReport) -> Void = { _ in }
  /// Called before a lesson's first example.
  public var lessonBegan: @Sendable (Lesson) -> Void = { _ in }
  /// Called with what runs now, whenever an example has begun or has ended beside another.
  public var progress: @Sendable (RunProgress) -> Void = { _ in }
  /// Called before each example with the folder that its program may write to.
  public var prepared: @Sendable (Example, String) -> Void = { _, _ in }
  /// Called after each example, in the schedule's order, with all that is known about its run.
  public var ran: @Sendable (ExampleRun) -> Void = { _ in }
  /// Called after each example, in the schedule's order, with its lesson and its result.
  public var ended: @Sendable (Lesson, ExampleResult) -> Void = { _, _ in }
  /// Called after each lesson with its result, also when the run was interrupted in its midst.
  public var lessonEnded: @Sendable (LessonResult) -> Void = { _ in }
  /// Called when the run does not come to its end, with what was measured until then.
  public var interrupted: @Sendable (LessonRun) -> Void = { _ in }

  /// An observer that does nothing yet.
  public init() {}
}
