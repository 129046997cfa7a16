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

  /// One place, such as `main thread, mode default` or `thread 4 “worker”, queue “loads”`.
  ///
  /// On the main thread Foundation always names the main queue, also for what a run-loop source brought; there the mode
  /// says more.
  static func words(_ place: PlaceCount) -> String {
    var words = place.thread.words
    if let queue = place.queue, !place.thread.main || place.runLoopMode == nil {
      words += ", " + self.words(forQueue: queue)
    }
    if let mode = place.runLoopMode { words += ", mode " + self.words(forMode: mode) }
    return words
  }

  private static func words(forQueue name: String) -> String {
    if name == "NSOperationQueue Main Queue" { return "main queue" }
    // Foundation names a queue that has no name after its address.
    return name.isEmpty || name.hasPrefix("NSOperationQueue 0x") ? "unnamed queue" : "queue “\(name)”"
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
