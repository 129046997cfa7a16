// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What an exercise's program has to hand: what an example has, and what an application would show its user.
///
/// What is shown is noted with its thread and instant; nothing appears on a screen.
public final class ExerciseContext: Sendable {
  private let app: ExampleContext

  /// A context around an example's.
  public init(_ app: ExampleContext) {
    self.app = app
  }

  /// What to load.
  public var url: URL { app.url }
  /// A folder of the program's own. Some exercises put a file there before the program starts.
  public var scratch: URL { app.scratch }

  /// Another address of the same server, such as `/json`.
  public func url(_ path: String) -> URL { app.url(path) }

  /// Runs the main run loop until `quit` is called, as an application's main function does. Call it on the main thread.
  public func runApplication() { app.runApplication() }

  /// Ends `runApplication`, from any thread.
  public func quit() { app.quit() }

  /// The text of a label on the screen. As in an application it may be set on the main thread only; setting it elsewhere
  /// is noted as the mistake that it is.
  public var label: String {
    get { Witness.shared.lastShown(.label) }
    set { Witness.shared.show(.label, newValue) }
  }

  /// Moves the bar that shows how much of the job is done: 0 is nothing, 1 is all of it.
  public func progress(_ part: Double) { Witness.shared.show(.progress, "\(part)") }

  /// Hands in what the program found out.
  public func result(_ text: String) { Witness.shared.show(.result, text) }
}

/// Something that an exercise's program showed its user.
public struct ShownValue: Codable, Sendable, Hashable {
  /// What it is.
  public enum Kind: String, Codable, Sendable, Hashable {
    /// The label's text.
    case label
    /// How much of the job is done, as a decimal number.
    case progress
    /// What the program found out.
    case result
  }

  /// What it is.
  public var kind: Kind
  /// The text, 4 KiB of it at most.
  public var text: String
  /// When, in seconds since the program's start.
  public var instant: Double
  /// The thread that showed it.
  public var thread: PlaceCount.ThreadID
  /// The mode this thread's run loop was running in, nil when it was not running.
  public var runLoopMode: String?
}
