// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The meaning of callbacks, as far as a drawing tells them apart: by colour and by shape.
enum CallbackGroup: String, Codable, CaseIterable {
  /// The head of an answer.
  case response
  /// A piece of a body, or a report on how far it is.
  case piece
  /// A file, a completion handler, the end of a load.
  case end
  /// An error.
  case failure
  /// Redirects, challenges, questions, and whatever else.
  case other

  /// The progress that a student's program tells its bar.
  static let progress = "app.progress(_:)"

  init(_ callback: CallbackCount) {
    let name = callback.name
    if callback.detail == "response" {
      self = .response
    } else if name.contains("didFailWithError") || name.contains("didBecomeInvalid") {
      self = .failure
    } else if name.contains("didWriteData") || name.contains("didSend") || callback.detail == "data"
      || name.contains("dataTask:didReceive:)") || name == Self.progress
    {
      self = .piece
    } else if name.contains("didFinish") || name.contains("didComplete")
      || name.contains("ompletionHandler")
        && !name.contains(":completionHandler")
      || name.contains("DidFinish")
    {
      self = .end
    } else {
      self = .other
    }
  }

  /// The group for a legend.
  var words: Phrase {
    switch self {
    case .response: "response"
    case .piece: "a piece, or how far it is"
    case .end: "end, file or handler"
    case .failure: "error"
    case .other: "other callbacks"
    }
  }

  /// The shape on the upper edge of a lane, around its own origin; nil for pieces, which are bare lines since there are
  /// so many.
  var shape: String? {
    switch self {
    case .response: "M0-5 5 0 0 5-5 0Z"
    case .piece: nil
    case .end: "M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0-4.5 0Z"
    case .failure: "M-5-3-3-5 0-2 3-5 5-3 2 0 5 3 3 5 0 2-3 5-5 3-2 0Z"
    case .other: "M0-5 5 4-5 4Z"
    }
  }
}
