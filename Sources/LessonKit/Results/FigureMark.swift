// SPDX-License-Identifier: Apache-2.0

/// A mark in a drawing of one run: the bound of something that was measured, where a reader finds it.
public enum FigureMark: Codable, Sendable, Hashable {
  /// Threads whose callbacks are counted.
  public enum Lanes: String, Codable, Sendable, Hashable {
    /// The main thread's callbacks.
    case main
    /// Callbacks on threads that are neither the main one nor a queue's.
    case own
    /// The threads themselves, each that has callbacks.
    case threads
  }

  /// The column that a table of requests shows of each beside its line.
  public enum RequestColumn: Codable, Sendable, Hashable {
    /// The status of the answer.
    case status
    /// Bytes of the answer.
    case sent
    /// Bytes of the request's own body.
    case received
    /// The connection that it came over.
    case socket
    /// How long it was under way.
    case duration
    /// A header field, by its name in lower case.
    case field(String)
  }

  /// The verdict on one request.
  public struct RequestVerdict: Codable, Sendable, Hashable {
    /// True if it is as wanted; nil where nothing is wanted of it alone.
    public var holds: Bool?
    /// The value that its column was to show; nil where that is the same for no single request.
    public var wanted: String?

    /// A verdict as given.
    public init(holds: Bool?, wanted: String? = nil) {
      (self.holds, self.wanted) = (holds, wanted)
    }
  }

  /// So many bytes above the memory before at most: at the end of the run, or always.
  case memory(atMost: Int, atEnd: Bool)
  /// So many callbacks on these lanes, or so many lanes.
  case callbacks(Lanes, least: Int?, most: Int?)
  /// Values of this kind are to be shown by the main thread; where it is so, during the touch.
  case shown(ShownValue.Kind, inTouch: Bool)
  /// The main thread may be silent for so many seconds.
  case silence(atMost: Double)
  /// The requests in their order with what is said of each, and how many more were wanted.
  case requests(RequestColumn, [RequestVerdict], missing: Int)
}
