// SPDX-License-Identifier: Apache-2.0

/// Where the body of a response goes.
package enum BodySink: Sendable {
  /// Into a buffer of at most 1 MiB, from which `Load.takeBody(atMost:)` takes it; a full buffer pauses the transfer.
  case stream
  /// Into one block of memory that `LoadEnd.body` returns.
  case collect
  /// Into a new private file (mode 0600) in the directory; `LoadEnd.file` names it, and the receiver owns it.
  case file(directory: URL)
  /// Nowhere: the load ends as cancelled.
  case refuse

  /// True if the client takes the bytes as they come.
  var isBuffered: Bool {
    if case .stream = self { true } else { false }
  }

  /// True if the client gets the bytes, and not a file.
  var isPassedOn: Bool {
    switch self {
    case .stream, .collect: true
    case .file, .refuse: false
    }
  }
}
