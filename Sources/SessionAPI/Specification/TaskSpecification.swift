// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// What a task is made from.
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
  /// What the load sends, where that is not the request itself.
  var loadRequest: URLRequest?
  /// Whether the request is one that a user knows of.
  var showsRequest = true
  /// What the task's connection is for.
  var use = LoadUse.exchange
  /// What the transfer agent knows of the task, which an earlier process made.
  var restored: TransferRecord?
  /// Why the task can only fail.
  var refusal: URLError?
}
