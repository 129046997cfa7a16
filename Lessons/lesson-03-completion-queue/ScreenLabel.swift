// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Stands for a label on the screen, which the main thread alone may change.
/// Called elsewhere it changes nothing and says so, as Apple's Main Thread
/// Checker does.
final class ScreenLabel: Sendable {
  /// Shows the text.
  func show(_ text: String) {
    if Thread.isMainThread {
      print("label: \(text)")
    } else {
      print("the label was called off the main thread")
    }
  }
}
