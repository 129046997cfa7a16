// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// The messages of the libraries besides the callbacks, and who hears them.
///
/// A programmer's mistake that ends the program, a call that has no effect, and a file of cookies that is put aside or left alone.
/// Nothing else is said: what becomes of a load is the delegate's, the handler's or the caller's business. Without a handler it
/// goes to standard error, a line each.
///
/// ```swift
/// URLLoadingLog.setHandler { message in
///   logger.log(level: Logger.Level(rawValue: message.level.rawValue) ?? .error, "\(message.label): \(message.text)")
/// }
/// ```
public enum URLLoadingLog {
  /// How much a message matters, with the names of swift-log's `Logger.Level`, in rising order.
  public enum Level: String, Sendable, CaseIterable {
    /// Every step.
    case trace
    /// Details that help to find a fault.
    case debug
    /// Worth knowing.
    case info
    /// Unusual, and in order.
    case notice
    /// A call that has no effect.
    case warning
    /// Something could not be done.
    case error
    /// A programmer's mistake, behind which the program ends.
    case critical
  }

  /// One message.
  public struct Message: Sendable, Hashable {
    /// How much it matters.
    public let level: Level
    /// The class that it is about, such as `NSURLConnection`.
    public let label: String
    /// One sentence, in English, without a line break.
    public let text: String
  }

  private static let handler = Locked<(@Sendable (Message) -> Void)?>(nil)

  /// Gives every message from now on to `handler`, on the thread that it concerns; nil: to standard error again. A handler
  /// returns soon, and makes no load that it waits for. Any thread.
  public static func setHandler(_ handler: (@Sendable (_ message: Message) -> Void)?) {
    self.handler.drop { kept in
      defer { kept = handler }
      return kept
    }
  }

  package static func say(_ level: Level, _ label: String, _ text: String) {
    if let handler = handler.withLock({ $0 }) { return handler(Message(level: level, label: label, text: text)) }
    try? FileHandle.standardError.write(contentsOf: Data("\(label): \(text)\n".utf8))
  }
}
