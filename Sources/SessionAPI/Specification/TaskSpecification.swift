// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// The specification from which a task is made.
struct TaskSpecification {
  var request: URLRequest
  /// The body of an upload, in place of the request's own.
  var body: LoadBody?
  var receiver: Receiver
  var delegate: (any URLSessionTaskDelegate)?
  /// The download to continue.
  var resuming: ResumeRecord?
  /// The upload to continue.
  var uploading: UploadRecord?
  /// The request that the load sends, where that is not `request` itself.
  var loadRequest: URLRequest?
  /// True if the request is one that a user knows of.
  var showsRequest = true
  /// The purpose of the task's connection.
  var use = LoadUse.exchange
  /// The transfer agent's record of the task, which an earlier process made.
  var restored: TransferRecord?
  /// Why the task can only fail.
  var refusal: URLError?
}
