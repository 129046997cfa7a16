// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 21.
enum SuspendedProcess {
  /// The server takes 0.8 s; after 0.3 s the whole process is stopped, with a time-out of a second.
  static let cases: [Case] = [
    Case("short", "stopped for 0.9 s, less than the time-out of 1 s", size: 512 << 10, stop: 0.9),
    Case("long", "stopped for 2 s, more than the time-out of 1 s", size: 512 << 10, stop: 2),
    Case("large", "stopped for 2 s, more than the time-out of 1 s; 64 MiB", size: 64 << 20, stop: 2),
    Case("silent", "stopped for 2 s, more than the time-out of 1 s; the server sends nothing", size: nil, stop: 2),
  ]

  /// What the server sends and how long the process is stopped.
  struct Case: Sendable {
    var name: String
    var title: String
    var size: Int?
    var stop: Double

    init(_ name: String, _ title: String, size: Int?, stop: Double) {
      (self.name, self.title, self.size, self.stop) = (name, title, size, stop)
    }

    fileprivate var resource: Example.Resource {
      .path(size.map { "/body?size=\($0)&rate=\($0 / 4 * 5)" } ?? "/never")
    }

    fileprivate func stopped(_ example: Example) -> Example {
      example.stopped(after: 0.3, for: stop)
        .makes(.line(size.map { "received \($0) bytes" } ?? "timed out after 0 bytes"))
    }
  }

  static let lesson: Lesson = .make(
    21, "suspended-process", "A process that is suspended", minutes: 10,
    connection: cases.map {
      $0.stopped(
        .connection(
          $0.name, $0.title, "LoadInBackground", loads: $0.resource, endsAs: $0.size == nil ? .failed : .finished,
          run: LoadInBackground.run))
    }.besideOthers(except: "short"),
    session: cases.map {
      $0.stopped(
        .session(
          $0.name, $0.title, "TaskInBackground", loads: $0.resource, endsAs: $0.size == nil ? .failed : .finished,
          run: TaskInBackground.run))
    }.besideOthers(),
    claims: claims, pairs: cases.map { .pair($0.name, $0.name) },
    shows: [.timeline, .printed],
    about: .of("end after the stop", .end, "connection/long", beside: "connection/silent"),
    predict: Prediction(
      "A process is stopped in the middle of a download, for twice as long as its time-out; the server sends all the "
        + "while. What comes when it continues?",
      answers: ["the time-out", "the rest of the body, at once", "the body once more, from its beginning"], right: 2,
      shownBy: "N2-16"))
}
