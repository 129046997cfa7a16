// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

/// The one end of a task, from the I/O thread to the delegate queue.
extension TaskClient {
  func load(_ load: Load, didEnd end: LoadEnd) {
    // The load may end before it knows for which client it works now.
    if let next = task.shared.withLock({ $0.successor }) { return next.load(load, didEnd: end) }
    ended(end, of: load)
  }

  /// Nothing is left to be done to the load: the end goes to the delegate queue.
  func conclude(_ end: LoadEnd, of load: Load) {
    let handler = task.shared.withLock { state in
      state.life.ended()
      return state.resumeHandler.take()
    }
    finish(end, of: load, handler)
  }

  /// Brings the end to the delegate queue; resume data, which takes a visit to the disk, is made on the way.
  private func finish(_ end: LoadEnd, of load: Load, _ handler: (@Sendable (Data?) -> Void)?) {
    guard handler != nil || end.partial != nil || end.partialUpload != nil else {
      return task.mailbox.post { [self] in deliverEnd(end, of: load) }
    }
    DispatchQueue.global().async { [self] in
      var end = end
      let download = end.partial?.resumeData()
      let upload = end.partialUpload?.resumeData(in: task.session.directory)
      (end.partial, end.partialUpload) = (nil, nil)
      end.error = end.error?.carrying([
        NSURLSessionDownloadTaskResumeData: download, NSURLSessionUploadTaskResumeData: upload,
      ])
      handler?(download ?? upload)
      task.mailbox.post { [self, end] in deliverEnd(end, of: load) }
    }
  }

  /// Delivers the end; then the session lets go of the task.
  func deliverEnd(_ end: LoadEnd, of load: Load) {
    deliverRest(end, of: load)
    task.deliverMetrics(end)
    let (response, failure) = complete(end, of: load)
    task.updateProgress()
    deliverCompletion(end, response, failure?.original)
    task.shared.drop { $0.release() }
    task.completionWasDelivered()
    task.session.taskCompleted(task)
  }

  /// The end for the session where another owner takes the load over: `deliver` runs in place of a completion. A task that was
  /// cancelled before completes as ever. Returns whether the load was handed over.
  func deliverHandover(_ end: LoadEnd, of load: Load, deliver: () -> Void) -> Bool {
    let error = complete(end, of: load).error?.original
    task.updateProgress()
    if let error {
      task.deliverMetrics(end)
      if let delegate = task.delegates.task { task.deliver(completion: error, to: delegate) }
    } else {
      deliver()
    }
    task.shared.drop { $0.release() }
    task.session.taskCompleted(task)
    return error == nil
  }

  /// Makes the task a completed one. A cancel wins over any other end that was not delivered yet.
  private func complete(_ end: LoadEnd, of load: Load) -> (response: URLResponse?, error: URLError?) {
    let received = task.bytesReceived(by: load)
    let (isCancelled, response, error) = task.shared.withLock { state in
      if !state.isIncremental { state.received = received }
      state.countsDelivered = true
      let error = state.refusal ?? end.error
      state.error = error?.original
      return (state.life.completed(), state.response, error)
    }
    guard isCancelled, error?.code != .cancelled else { return (response, error) }
    let cancellation = LoadError.error(.cancelled, url: task.currentRequest?.url, description: "cancelled")
      .carrying([
        NSURLSessionDownloadTaskResumeData: error?.downloadTaskResumeData,
        NSURLSessionUploadTaskResumeData: error?.uploadTaskResumeData,
      ])
    task.shared.withLock { $0.error = cancellation }
    return (response, cancellation)
  }
}
