// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The means that an exercise's program has to hand: what an example has, and what an application would show its user.
///
/// Each value shown is noted with its thread and instant; nothing appears on a screen.
public final class ExerciseContext: Sendable {
  private let app: ExampleContext

  /// A context around an example's.
  public init(_ app: ExampleContext) {
    self.app = app
  }

  /// The address to load.
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
    get { ProgramObserver.shared.lastShown(.label) }
    set { ProgramObserver.shared.show(.label, newValue) }
  }

  /// Moves the bar that shows how much of the job is done: 0 is nothing, 1 is all of it.
  public func progress(_ part: Double) { ProgramObserver.shared.show(.progress, "\(part)") }

  /// Hands in what the program found out.
  public func result(_ text: String) { ProgramObserver.shared.show(.result, text) }

  /// A stream that writes a file, makes it anew, and takes less at a time than it is offered, as one over a pipe or a socket
  /// may. When it is closed it hands in the sum of the bytes that it took. Where `app.url` has a `room`, it takes no more
  /// bytes than that, as on a disk that is full then.
  public func narrowStream(for file: URL) -> OutputStream? {
    let stream = NarrowStream(url: file, append: false)
    let room = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "room" }?.value
    stream?.room = room.flatMap(Int.init) ?? .max
    return stream
  }
}
