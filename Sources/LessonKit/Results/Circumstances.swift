// SPDX-License-Identifier: Apache-2.0

/// The circumstances of an example's program while it runs: a finger on the screen, a process that is stopped, a short time
/// limit. None of it shows in the program.
public struct Circumstances: Sendable, Hashable {
  /// A stretch of time, in seconds since the example's start.
  public struct Stretch: Codable, Sendable, Hashable {
    /// When it begins.
    public var began: Double
    /// When it is over.
    public var ended: Double

    /// A stretch as given.
    public init(began: Double, ended: Double) {
      self.began = began
      self.ended = ended
    }

    /// True if the instant lies in it.
    public func contains(_ instant: Double) -> Bool { (began...ended).contains(instant) }
  }

  /// When the person touches the screen: the main run loop runs in the tracking mode that long.
  public var touch: Stretch?
  /// When the main thread is busy with something else, such as a long list that it draws, and answers nobody.
  public var busy: Stretch?
  /// When the whole process is stopped, as a system does with a program in the background.
  public var stop: Stretch?
  /// A time limit of its own, for a program that is meant to hang.
  public var limit: Duration?
  /// How long the main loop still runs after the program's end, so that a late callback would be seen.
  public var aftermath = Duration.milliseconds(50)

  /// The seed of the server's body, nil for the one that all examples share.
  public var seed: UInt64?
  /// The token that stands for that seed in the program's address, so that the program cannot know what it leads to; nil for
  /// itself.
  public var token: UInt64?
  /// The size of the server's body, nil for the one that all examples share.
  public var bodyBytes: Int?
  /// Files that lie in the program's folder before it starts, by name.
  public var files: [String: String] = [:]

  /// How often the program is launched, each time as a new process with the same folder; the last one is measured.
  public var launches = 1
  /// How long no process of it runs between two launches.
  public var absence = Duration.zero

  /// Nothing out of the ordinary.
  public init() {}
}
