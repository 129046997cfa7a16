// SPDX-License-Identifier: Apache-2.0
import LessonKit
import WarmUps

extension Lesson {
  /// A lesson of two columns, both warmed up with small loads, whose report shows these details of every example.
  static func make(
    _ number: Int, _ slug: String, _ title: String, minutes: Int, connection: [Example], session: [Example],
    claims: [Claim], checks: [Claim] = [], pairs: [ExamplePair] = [],
    shows details: [LessonDetail] = [.requests, .printed], about subject: Subject, predict: Prediction? = nil
  ) -> Lesson {
    var lesson = Lesson(
      number: number, slug: slug, title: title, minutes: minutes, examples: connection + session, claims: claims,
      warmUp: [.connection: ConnectionWarmUp.run, .session: SessionWarmUp.run])
    (lesson.checks, lesson.pairs, lesson.prediction, lesson.subject) = (checks, pairs, predict, subject)
    lesson.shows = details
    return lesson
  }
}

extension ExamplePair {
  /// The Connection and the Session example of these names, without the part before the slash.
  static func pair(_ connection: String, _ session: String, _ difference: Phrase = .empty) -> ExamplePair {
    ExamplePair(connection: "connection/\(connection)", session: "session/\(session)", difference: difference)
  }
}

extension [Example] {
  /// These programs, which may run beside others, all but those of these names: a claim judges what a neighbour disturbs
  /// there, or their bodies are large.
  func besideOthers(except names: String...) -> [Example] {
    map { example in names.contains { example.id.hasSuffix("/" + $0) } ? example : example.besideOthers() }
  }
}

extension Example {
  /// A program of the Connection column.
  static func connection(
    _ name: String, _ title: String, _ file: String, loads resource: Resource = .body(),
    endsAs end: Outcome.Kind = .finished, run: @escaping @Sendable (ExampleContext) -> Void
  ) -> Example {
    Example("connection/\(name)", .connection, title, file: file + ".swift", loads: resource, endsAs: end, run: run)
  }

  /// A program of the Session column.
  static func session(
    _ name: String, _ title: String, _ file: String, loads resource: Resource = .body(),
    endsAs end: Outcome.Kind = .finished, run: @escaping @Sendable (ExampleContext) -> Void
  ) -> Example {
    Example("session/\(name)", .session, title, file: file + ".swift", loads: resource, endsAs: end, run: run)
  }
}
