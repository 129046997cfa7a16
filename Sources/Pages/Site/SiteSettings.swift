// SPDX-License-Identifier: Apache-2.0
public import Exercises
public import LessonKit
public import Reports

/// The settings that the pages are made from.
public struct SiteSettings: Sendable {
  /// The lessons, in order.
  public var lessons: [Lesson]
  /// The exercises.
  public var course: ExerciseCourse
  /// The student's folder.
  public var student: StudentFolder
  /// The path of the folder that keeps the runs.
  public var runs: String
  /// The language of a reader who has not chosen one.
  public var language: Language
  /// The executable that becomes a run's process.
  public var executable = "/proc/self/exe"
  /// The translations into a language.
  public var catalogue: @Sendable (Language) throws -> StringCatalogue
  /// The table of behaviour.
  public var behaviour: @Sendable () throws(LessonKitError) -> BehaviourTable
  /// The setting that a page of the course is made with.
  public var page: @Sendable (StringCatalogue) -> HTMLReport.Setting

  /// Settings as given.
  public init(
    lessons: [Lesson], course: ExerciseCourse, student: StudentFolder, runs: String, language: Language,
    catalogue: @escaping @Sendable (Language) throws -> StringCatalogue,
    behaviour: @escaping @Sendable () throws(LessonKitError) -> BehaviourTable,
    page: @escaping @Sendable (StringCatalogue) -> HTMLReport.Setting
  ) {
    (self.lessons, self.course, self.student) = (lessons, course, student)
    (self.runs, self.language, self.catalogue) = (runs, language, catalogue)
    (self.behaviour, self.page) = (behaviour, page)
  }
}
