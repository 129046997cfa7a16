// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Timeline

/// How often one kind of callback came, when, and where.
public struct CallbackCount: Codable, Sendable, Hashable {
  /// Apple's name of the method, with its labels.
  public var name: String
  /// The detail that tells methods of one name apart, such as `response` and `data`; empty where nothing needs to.
  public var detail: String
  /// How many came.
  public var count: Int
  /// When the first came.
  public var first: Double
  /// When the last came.
  public var last: Double
  /// Where they came, the most frequent first.
  public var places: [PlaceCount]
  /// True if the delegate has the method. Where it has not, a callback would have come this often.
  public var implemented = true

  /// A count as given.
  public init(name: String, detail: String = "", count: Int, first: Double, last: Double, places: [PlaceCount]) {
    self.name = name
    self.detail = detail
    self.count = count
    self.first = first
    self.last = last
    self.places = places
  }
}

/// A thread with the queue or run-loop mode that brought a callback there, and how many came there.
public struct PlaceCount: Codable, Sendable, Hashable {
  /// A thread as the reports name it.
  public struct ThreadID: Codable, Sendable, Hashable {
    /// 1 for the main thread, others count up as they are first seen.
    public var id: Int
    /// The thread's name, empty where it has none.
    public var name: String
    /// True if it is the main thread.
    public var main: Bool

    /// An identity as given.
    public init(id: Int, name: String, main: Bool) {
      self.id = id
      self.name = name
      self.main = main
    }

    /// The thread as a person says it, such as `the main thread`, `thread 4` or `thread 5 “worker”`.
    public var words: Phrase {
      if main { return "the main thread" }
      return name.isEmpty ? "thread\u{A0}\(id)" : "thread\u{A0}\(id) “\(name)”"
    }
  }

  /// The thread.
  public var thread: ThreadID
  /// The operation queue's name, `queue 1`, `queue 2`, … for those without one, or nil outside of any.
  public var queue: String?
  /// The run-loop mode, or nil when the loop was not running.
  public var runLoopMode: String?
  /// How many callbacks came here.
  public var count: Int

  /// A place as given.
  public init(thread: ThreadID, queue: String? = nil, runLoopMode: String? = nil, count: Int) {
    self.thread = thread
    self.queue = queue
    self.runLoopMode = runLoopMode
    self.count = count
  }

  /// The place of a timeline event, seen `count` times. A thread without a name of its own bears its process's, which
  /// is left out, as is the name that the dispatch library gives its workers, since it tells nothing.
  public init(_ place: Place, count: Int) {
    let isOwn = place.thread.name != Self.processName && !place.thread.name.contains("-qos")
    let name = isOwn ? place.thread.name : ""
    self.init(
      thread: ThreadID(id: place.thread.number, name: name, main: place.thread.isMain),
      queue: place.queue, runLoopMode: place.runLoopMode, count: count)
  }

  private static let processName = String(ProcessInfo.processInfo.processName.prefix(15))

  private enum CodingKeys: String, CodingKey {
    case thread, queue, runLoopMode, count
  }

  /// Writes the place; an absent queue or mode is an explicit `null`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(thread, forKey: .thread)
    try object.encode(queue, forKey: .queue)
    try object.encode(runLoopMode, forKey: .runLoopMode)
    try object.encode(count, forKey: .count)
  }
}
