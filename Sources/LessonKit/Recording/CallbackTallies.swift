// SPDX-License-Identifier: Apache-2.0
public import Timeline

/// Callbacks counted by kind and place, in the order of their first appearance, and when they came.
public struct CallbackTallies: Sendable {
  private struct Tally {
    var name: String
    var detail: String
    var count = 0
    var first: Double
    var last = 0.0
    var isLeftOut = false
    var places: [(place: Place, count: Int)] = []
  }

  private var tallies: [Tally] = []
  private var keeper = TickKeeper()

  /// No callback yet.
  public init() { tallies.reserveCapacity(32) }

  /// Adds callbacks of one kind that came to one place; answers the kind's index.
  @discardableResult
  public mutating func add(
    _ name: String, _ detail: String, at instant: Double, _ place: Place, count: Int = 1
  ) -> Int {
    let found = tallies.firstIndex { $0.name == name && $0.detail == detail }
    let index = found ?? tallies.endIndex
    if found == nil { tallies.append(Tally(name: name, detail: detail, first: instant)) }
    tallies[index].count += count
    tallies[index].last = instant
    if let known = tallies[index].places.firstIndex(where: { $0.place == place }) {
      tallies[index].places[known].count += count
    } else {
      tallies[index].places.append((place, count))
    }
    keeper.add(instant, callback: index, thread: place.thread.number, count: count)
    return index
  }

  /// The delegate has no such method.
  public mutating func leaveOut(_ name: String, _ detail: String) {
    if let index = tallies.firstIndex(where: { $0.name == name && $0.detail == detail }) {
      tallies[index].isLeftOut = true
    }
  }

  /// When they came, thinned out where they were very many, in order.
  public var ticks: [CallbackTick] { keeper.ticks.sorted { $0.instant < $1.instant } }

  /// The counts, the most frequent place of each first.
  public var counts: [CallbackCount] {
    var queues = QueueNames()
    return tallies.map { tally in
      let places = tally.places.map { PlaceCount(queues.numbered($0.place), count: $0.count) }
      var count = CallbackCount(
        name: tally.name, detail: tally.detail, count: tally.count, first: tally.first, last: tally.last,
        places: places.sorted { $0.count > $1.count })
      count.implemented = !tally.isLeftOut
      return count
    }
  }
}

/// Numbers queues that have no name, in the order in which they first called back.
private struct QueueNames {
  private var known: [String: String] = [:]

  /// The place with the queue's number in place of the address that Foundation names it after.
  mutating func numbered(_ place: Place) -> Place {
    guard let queue = place.queue, queue.isEmpty || queue.hasPrefix("NSOperationQueue 0x") else { return place }
    var place = place
    if known[queue] == nil { known[queue] = "queue \(known.count + 1)" }
    place.queue = known[queue]
    return place
  }
}
