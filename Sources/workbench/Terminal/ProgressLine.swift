// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The one line on standard error that says what runs now, on a terminal only.
struct ProgressLine: Sendable {
  private let isShown: Bool

  init(isShown: Bool = Terminal.showsProgress) {
    self.isShown = isShown
  }

  /// Replaces the line.
  func show(_ text: String) {
    guard isShown else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(VisibleText.of(text))".utf8))
  }

  /// Takes the line away.
  func clear() { show("") }
}
