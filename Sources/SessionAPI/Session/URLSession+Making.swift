// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Timeline
import URLLoading

/// Where tasks come from.
extension URLSession {
  /// Makes a task of the wanted kind, which the session keeps until it has completed.
  ///
  /// A task for an invalid session is a programmer's error: Apple raises an exception that Swift cannot catch.
  func make<Made: URLSessionTask>(
    _ specification: TaskSpecification, _ make: (TaskSpecification, Int, URLSession, LoadContext) -> Made
  ) -> Made {
    var specification = specification
    if parts.agent != nil {
      if let objection = BackgroundRules.objection(to: specification) { ProgrammerError.stop("URLSession", objection) }
      specification.refusal = specification.refusal ?? BackgroundRules.refusal(of: specification)
    }
    guard let (identifier, context) = changing.withLock({ $0.reserve() }) else {
      ProgrammerError.stop(
        "URLSession",
        """
        Task created in a session that has been invalidated. Make a new URLSession, or invalidate this one only when \
        no more tasks are wanted.
        """)
    }
    let task = make(specification, identifier, self, context)
    Load.tellMade(
      specification.receiver.form, of: specification.request, session: parts.subject, subject: task.subject)
    let isTooLate = changing.withLock { $0.registry.insert(task) }
    if let delegate = task.delegates.task { task.deliverCreation(to: delegate) }
    if isTooLate { task.cancel() }
    return task
  }

  func makeDataTask(_ request: URLRequest, for receiver: Receiver) -> URLSessionDataTask {
    make(TaskSpecification(request: request, receiver: receiver), URLSessionDataTask.init)
  }

  func makeUploadTask(_ request: URLRequest, _ body: LoadBody, for receiver: Receiver) -> URLSessionUploadTask {
    make(TaskSpecification(request: request, body: body, receiver: receiver), URLSessionUploadTask.init)
  }

  func makeDownloadTask(_ request: URLRequest, for receiver: Receiver) -> URLSessionDownloadTask {
    makeDownloadTask(TaskSpecification(request: request, receiver: receiver))
  }

  func makeDownloadTask(_ specification: TaskSpecification) -> URLSessionDownloadTask {
    make(specification, URLSessionDownloadTask.init)
  }
}
