// SPDX-License-Identifier: Apache-2.0

/// A data task that sends a body of its own; the request's `httpBody` and `httpBodyStream` are ignored.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
