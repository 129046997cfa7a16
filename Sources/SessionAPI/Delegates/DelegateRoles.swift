// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One delegate and the protocols it conforms to, found out once: a cast to a protocol is too dear for every callback.
struct DelegateRoles: Sendable {
  let session: (any URLSessionDelegate)?
  let task: (any URLSessionTaskDelegate)?
  let data: (any URLSessionDataDelegate)?
  let download: (any URLSessionDownloadDelegate)?

  init(_ delegate: (any URLSessionDelegate)?) {
    session = delegate
    task = delegate as? any URLSessionTaskDelegate
    data = delegate as? any URLSessionDataDelegate
    download = delegate as? any URLSessionDownloadDelegate
  }
}
