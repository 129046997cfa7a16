// SPDX-License-Identifier: Apache-2.0

/// A task whose body comes as data: in pieces to the delegate, or whole to a completion handler.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
