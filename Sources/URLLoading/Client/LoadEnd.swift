// SPDX-License-Identifier: Apache-2.0

/// How a load ended.
package struct LoadEnd: Sendable {
  /// nil on success; the codes of A.11, with the failing URL in `userInfo`.
  package var error: URLError?
  /// The whole body of a `.collect` sink, also what had come before a failure; nil for the other sinks.
  package var body: Data?
  /// The complete file of a `.file` sink; nil on failure, when it has been removed.
  package var file: URL?
  /// The rest of a download that ended early and can be resumed; nil otherwise.
  package var partial: PartialDownload?
  /// The rest of an upload that ended early and can be resumed; nil otherwise.
  package var partialUpload: PartialUpload?
  /// The requests that were sent, in order, if the client wanted them.
  package var exchanges: [LoadExchange] = []
  /// How many redirects there were.
  package var redirectCount = 0

  /// An end as given.
  package init(error: URLError? = nil, body: Data? = nil, file: URL? = nil) {
    (self.error, self.body, self.file) = (error, body, file)
  }
}
