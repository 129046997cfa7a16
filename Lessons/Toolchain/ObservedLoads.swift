// SPDX-License-Identifier: Apache-2.0
import Locking
import SessionAPI
import Timeline

/// Tells the timeline of the toolchain's tasks, each of which is a load with a number.
enum ObservedLoads {
  private struct Known {
    weak var task: URLSessionTask?
    var subject: UInt64
  }
  private static let known = Locked<[ObjectIdentifier: Known]>([:])

  /// The task's number; a task that is seen for the first time gets one.
  static func subject(of task: URLSessionTask) -> UInt64 {
    known.withLock { known in
      let key = ObjectIdentifier(task)
      if let found = known[key], found.task != nil { return found.subject }
      let subject = Timeline.nextSubject()
      known[key] = Known(task: task, subject: subject)
      return subject
    }
  }

  /// `task` continues the load of `other`.
  static func hand(over other: URLSessionTask, to task: URLSessionTask) {
    let subject = subject(of: other)
    known.withLock { $0[ObjectIdentifier(task)] = Known(task: task, subject: subject) }
  }

  /// A task was made.
  static func made<Task: URLSessionTask>(_ task: Task) -> Task {
    Timeline.emit(.transfer(.created), subject: subject(of: task))
    return task
  }

  /// A method of the delegate is about to run.
  static func calls(
    _ task: URLSessionTask, _ name: String, _ detail: String = "",
    with payload: @autoclosure () -> TimelineEvent.Payload = .none
  ) {
    Timeline.emit(.callback(name: name, detail: detail), subject: subject(of: task), payload: payload())
  }

  /// The delegate has no such method.
  static func leftOut(_ task: URLSessionTask, _ name: String, _ detail: String = "") {
    Timeline.emit(.leftOut(name: name, detail: detail), subject: subject(of: task))
  }

  /// How a load ended.
  static func end(_ error: (any Error)?) -> TimelineEvent.Payload {
    guard let error = error as NSError? else { return .success }
    return .failure(domain: error.domain, code: error.code)
  }

  /// A response.
  static func response(_ response: URLResponse?) -> TimelineEvent.Payload {
    guard let response else { return .none }
    return .response(
      status: (response as? HTTPURLResponse)?.statusCode ?? 0, expectedLength: response.expectedContentLength,
      type: response.mimeType)
  }
}

/// Whose handler it is: the task is known only when it has been made.
final class HandlersLoad: Sendable {
  private let subject = Timeline.nextSubject()

  /// The handler that tells the timeline first.
  func data(_ handler: @escaping DataHandler) -> DataHandler {
    { [subject] data, response, error in
      if let data, error == nil {
        data.withUnsafeBytes { bytes in
          Timeline.emit(.callback(name: "completionHandler", detail: ""), subject: subject, payload: .bytes(bytes))
        }
      }
      Self.tellEnd(error, subject)
      handler(data, response, error)
    }
  }

  /// The same for a download.
  func file(_ handler: @escaping FileHandler) -> FileHandler {
    { [subject] file, response, error in
      if let file, error == nil {
        Timeline.emit(
          .callback(name: "completionHandler", detail: ""), subject: subject, payload: .file(path: file.path))
      }
      Self.tellEnd(error, subject)
      handler(file, response, error)
    }
  }

  /// The task was made.
  func made<Task: URLSessionTask>(_ task: Task) -> Task {
    Timeline.emit(.transfer(.created), subject: subject)
    return task
  }

  private static func tellEnd(_ error: (any Error)?, _ subject: UInt64) {
    Timeline.emit(
      .callback(name: "completionHandler", detail: "end"), subject: subject, payload: ObservedLoads.end(error))
  }
}
