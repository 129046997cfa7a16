// SPDX-License-Identifier: Apache-2.0

/// A task whose body goes into a temporary file.
///
/// Difference from Apple: there is no resume data yet, so a download that was cancelled or failed starts from the
/// beginning.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
