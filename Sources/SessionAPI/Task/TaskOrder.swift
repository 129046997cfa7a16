// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

/// What a task is made from.
struct TaskOrder {
  var request: URLRequest
  /// The body of an upload, in place of the request's own.
  var body: LoadBody?
  var receiver: Receiver
  var delegate: (any URLSessionTaskDelegate)?
}
