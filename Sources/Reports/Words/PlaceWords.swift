// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Where callbacks came, in words.
enum PlaceWords {
  /// All places of one kind of callback: one by one when they are few, summed up when a queue used many threads.
  static func phrases(_ places: [PlaceCount]) -> [Phrase] {
    let queues = Set(places.map(\.queue))
    if places.count > 2, queues.count == 1, let queue = queues.first ?? nil, !places.contains(where: \.thread.main) {
      return ["\(places.count) threads, none of them main, \(words(forQueue: queue))"]
    }
    let shown: [Phrase] = places.prefix(4).map { place in
      places.count > 1 ? "\(words(place)) (\(place.count)×)" : words(place)
    }
    return shown + (places.count > 4 ? ["and \(places.count - 4) more places"] : [])
  }

  /// One place, such as `main thread, mode default` or `thread 4 “worker”, queue “loads”`.
  ///
  /// On the main thread Foundation always names the main queue, also for what a run-loop source brought; there the mode
  /// says more.
  static func words(_ place: PlaceCount) -> Phrase {
    var words: [Phrase] = [place.thread.main ? "main thread" : place.thread.words]
    if let queue = place.queue, !place.thread.main || place.runLoopMode == nil {
      words.append(self.words(forQueue: queue))
    }
    if let mode = place.runLoopMode { words.append("mode \(self.words(forMode: mode))") }
    return words.joined()
  }

  /// The threads of many callbacks in a word or two, for a table.
  static func short(_ places: [PlaceCount]) -> Phrase {
    let threads = Set(places.map(\.thread.id))
    guard threads.count == 1, let thread = places.first?.thread else {
      if threads.isEmpty { return "none" }
      return places.contains(where: \.thread.main) ? "main + \(threads.count - 1)" : "\(threads.count) threads"
    }
    return thread.main ? "main" : "thread\u{A0}\(thread.id)"
  }

  /// The place of a measured program's callbacks, such as `main, default` or `a queue`, by the words of its row.
  static func measured(_ place: String) -> Phrase {
    if place == "a queue" { return "queue without a name" }
    if place.hasPrefix("queue ") { return "queue “\(place.dropFirst(6))”" }
    let parts = place.split(separator: ", ", maxSplits: 1)
    guard let first = parts.first else { return .empty }
    let thread: Phrase = first == "main" ? "main" : "thread\u{A0}\(first.dropFirst(7))"
    return parts.count == 1 ? thread : "\(thread), \(words(forMode: String(parts[1])))"
  }

  private static func words(forQueue name: String) -> Phrase {
    if name == "NSOperationQueue Main Queue" { return "main queue" }
    if name.isEmpty || name.hasPrefix("NSOperationQueue 0x") { return "queue without a name" }
    let number = name.hasPrefix("queue ") ? Int(name.dropFirst(6)) : nil
    return number.map { "queue \($0)" } ?? "queue “\(name)”"
  }

  private static func words(forMode name: String) -> Phrase {
    switch name {
    case "kCFRunLoopDefaultMode", "NSDefaultRunLoopMode", "default": "default"
    case "kCFRunLoopCommonModes": "common"
    case "UITrackingRunLoopMode": "tracking"
    default: Phrase(verbatim: name)
    }
  }
}
