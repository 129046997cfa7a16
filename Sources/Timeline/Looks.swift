// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

extension Timeline {
  /// The function of a look: called on a recorder's own thread, or at the program's end on the thread that ends it.
  public typealias Look = @Sendable (_ isAtEnd: Bool) -> Void

  /// Lets `look` be called some twenty times a second while a recorder listens, and once at the program's end. It reports
  /// what no call does, such as callbacks that wait.
  public static func onLook(_ look: @escaping Look) {
    looks.withLock { $0.append(look) }
  }

  /// Lets all report what no call does. For a recorder's own thread.
  ///
  /// - Parameter isAtEnd: whether the program is about to end.
  public static func look(isAtEnd: Bool = false) {
    guard isRecording else { return }
    if RunLoop.main.currentMode != nil { emit(.step(.mainServes), subject: 0) }
    looking.withLock { _ in for look in looks.withLock({ $0 }) { look(isAtEnd) } }
  }

  /// One look at a time: each takes what is to be looked at.
  private static let looking = Locked(0)
  private static let looks = Locked<[Look]>([])
}
