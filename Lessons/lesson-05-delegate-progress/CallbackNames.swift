// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Apple's names of the callbacks this lesson asks about.
enum CallbackName {
  static let receive = "connection(_:didReceive:)"
  static let finish = "connectionDidFinishLoading(_:)"
  static let fail = "connection(_:didFailWithError:)"
  static let write = "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"
  static let handler = "completionHandler"
}

extension ExampleRun {
  /// The example's one load.
  ///
  /// - Throws: `LessonKitError` when there was none.
  func load() throws(LessonKitError) -> LoadRecord {
    guard let load = recording.loads.first else {
      throw LessonKitError(.notMeasured, "\(result.id) started no load")
    }
    return load
  }

  /// Every place a callback came to, each once.
  var places: [PlaceCount.ThreadID] {
    recording.places.map(\.thread).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The threads of the callbacks in words, such as `thread 4, thread 6`.
  var threads: String { places.map(\.words).joined(separator: ", ") }
}
