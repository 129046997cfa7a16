// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// Where tasks come from.
extension URLSession {
  /// Makes a task of the wanted kind, which the session keeps until it has completed.
  ///
  /// A task for an invalid session is a programmer's error: Apple raises an exception that Swift cannot catch.
  func make<Made: URLSessionTask>(
    _ order: TaskOrder, _ make: (TaskOrder, Int, URLSession, LoadContext) -> Made
  ) -> Made {
    var order = order
    if parts.link != nil {
      if let objection = BackgroundRules.objection(to: order) { Mistake.stop("URLSession", objection) }
      order.refusal = order.refusal ?? BackgroundRules.refusal(of: order)
    }
    guard let (identifier, context) = changing.withLock({ $0.reserve() }) else {
      Mistake.stop(
        "URLSession",
        """
        Task created in a session that has been invalidated. Make a new URLSession, or invalidate this one only when \
        no more tasks are wanted.
        """)
    }
    let task = make(order, identifier, self, context)
    let isTooLate = changing.withLock { $0.registry.insert(task) }
    if let delegate = task.taskDelegate { task.deliverCreation(to: delegate) }
    if isTooLate { task.cancel() }
    return task
  }

  func makeDataTask(_ request: URLRequest, for receiver: Receiver) -> URLSessionDataTask {
    make(TaskOrder(request: request, receiver: receiver), URLSessionDataTask.init)
  }

  func makeUploadTask(_ request: URLRequest, _ body: LoadBody, for receiver: Receiver) -> URLSessionUploadTask {
    make(TaskOrder(request: request, body: body, receiver: receiver)) { order, number, session, context in
      guard parts.link != nil else {
        return URLSessionUploadTask(order, identifier: number, session: session, context: context)
      }
      return BackgroundUploadTask(order, identifier: number, session: session, context: context)
    }
  }

  func makeDownloadTask(_ request: URLRequest, for receiver: Receiver) -> URLSessionDownloadTask {
    makeDownloadTask(TaskOrder(request: request, receiver: receiver))
  }

  func makeDownloadTask(_ order: TaskOrder) -> URLSessionDownloadTask {
    make(order) { order, number, session, context in
      guard parts.link != nil else {
        return URLSessionDownloadTask(order, identifier: number, session: session, context: context)
      }
      return BackgroundDownloadTask(order, identifier: number, session: session, context: context)
    }
  }
}
