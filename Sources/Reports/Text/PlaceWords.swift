// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Where callbacks came, in words.
enum PlaceWords {
  /// All places of one kind of callback: one by one when they are few, summed up when a queue used many threads.
  static func lines(_ places: [PlaceCount]) -> [String] {
    let queues = Set(places.map(\.queue))
    if places.count > 2, queues.count == 1, let queue = queues.first ?? nil, !places.contains(where: \.thread.main) {
      return ["\(places.count) threads, none of them main, \(words(forQueue: queue))"]
    }
    let shown = places.prefix(4).map { words($0) + (places.count > 1 ? " (\($0.count)×)" : "") }
    return shown + (places.count > 4 ? ["and \(places.count - 4) more places"] : [])
  }

  /// One place, such as `main thread, mode default` or `thread 4 "worker", queue "loads"`.
  static func words(_ place: PlaceCount) -> String {
    var words = place.thread.main ? "main thread" : "thread \(place.thread.id)"
    if !place.thread.main, !place.thread.name.isEmpty { words += " “\(place.thread.name)”" }
    if let queue = place.queue { words += ", " + self.words(forQueue: queue) }
    if let mode = place.runLoopMode { words += ", mode " + self.words(forMode: mode) }
    return words
  }

  private static func words(forQueue name: String) -> String {
    switch name {
    case "": "unnamed queue"
    case "NSOperationQueue Main Queue": "main queue"
    default: "queue “\(name)”"
    }
  }

  private static func words(forMode name: String) -> String {
    switch name {
    case "kCFRunLoopDefaultMode", "NSDefaultRunLoopMode": "default"
    case "kCFRunLoopCommonModes": "common"
    case "UITrackingRunLoopMode": "tracking"
    default: name
    }
  }
}
