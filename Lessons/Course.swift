// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The lessons that exist.
public enum Course {
  /// The lessons, in order.
  public static let catalog = LessonCatalog(
    [
      FirstRequest.lesson, BlockingCall.lesson, CompletionQueue.lesson, MemoryPeak.lesson, DelegateProgress.lesson,
      Accumulate.lesson,
      WritingByHandle.lesson, WritingByStream.lesson, RunLoopModes.lesson, NoRunLoop.lesson, RunLoopFixes.lesson,
      NetworkThreadLesson.lesson, RepeatedResponse.lesson, Endings.lesson, Redirects.lesson, Upload.lesson,
      Challenges.lesson, ServerTrust.lesson, Caching.lesson, ManyRequests.lesson,
      SuspendedProcess.lesson,
      Resume.lesson, SegmentedDownload.lesson, SessionLifetime.lesson, Configuration.lesson, SuspendResumeCancel.lesson,
      FiveShortcomings.lesson,
    ])

  /// The parts of the course, as its plan (course.md) divides the half a day. Every lesson belongs to one.
  public static let parts = [
    CoursePart("First part: from the first request to a file written piece by piece", lessons: 1...8),
    CoursePart("Second part: run loops and threads, and how a load can end", lessons: 9...14),
    CoursePart("Third part: sending, many requests, continuing, and how long a session lives", lessons: 15...27),
  ]
}
