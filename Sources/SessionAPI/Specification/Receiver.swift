// SPDX-License-Identifier: Apache-2.0
import Foundation
import Timeline
import URLLoading

/// The receiver of the response, the body and the end of a task.
enum Receiver: Sendable {
  typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

  /// The data delegate: response, pieces of data, completion.
  case dataDelegate
  /// A handler that gets the whole body at once.
  case dataHandler(DataHandler)
  /// The download delegate: progress, the file, completion.
  case downloadDelegate
  /// A handler that gets a file. Unless it is kept, the file is removed when the handler returns.
  case fileHandler(FileHandler, keepsFile: Bool)
  /// A reader that awaits the bytes one by one.
  case bytes(ByteChannel)
  /// A driver that has the connection to itself.
  case rawConnection(any RawConnectionUser)

  /// True if the body is passed on as it comes.
  var isIncremental: Bool {
    if case .dataDelegate = self { true } else { false }
  }

  /// The form of the task on the timeline.
  var form: LoadForm {
    switch self {
    case .dataHandler: .handlerTask
    case .rawConnection: .rawTask
    case .dataDelegate, .downloadDelegate, .fileHandler, .bytes: .task
    }
  }

  /// Where the load shall put the body; nil when the delegate is asked once the response is there.
  func sink(in directory: @autoclosure () -> URL) -> BodySink? {
    switch self {
    case .dataDelegate, .rawConnection: nil
    case .dataHandler: .collect
    case .bytes: .stream
    case .downloadDelegate, .fileHandler: .file(directory: directory())
    }
  }
}
