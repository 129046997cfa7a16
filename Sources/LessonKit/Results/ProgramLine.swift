// SPDX-License-Identifier: Apache-2.0

/// A line that a program printed, or that a library printed in its process.
public struct ProgramLine: Codable, Sendable, Hashable {
  /// How many bytes of lines a result keeps.
  static let limit = 64 << 10

  /// The line.
  public var text: String
  /// When the program printed it, in seconds since the example's start; nil for a line of a library.
  public var instant: Double?
  /// The thread that printed it; nil for a line of a library.
  public var thread: PlaceCount.ThreadID?

  /// A line as given.
  public init(text: String, instant: Double? = nil, thread: PlaceCount.ThreadID? = nil) {
    self.text = text
    self.instant = instant
    self.thread = thread
  }

  /// All lines in the order in which they left the process: those that the program printed with their times, between
  /// them those of libraries. Lines beyond 64 KiB are left out.
  static func all(_ printed: [String], noted: [PrintedLine]) -> [ProgramLine] {
    var noted = noted
    var first = 0
    var room = limit
    let lines = printed.map { text in
      // Two threads that print at once are noted in either order.
      guard let index = noted[first...].prefix(8).firstIndex(where: { $0.text == text }) else {
        return ProgramLine(text: text)
      }
      let line = noted[index]
      noted.swapAt(first, index)
      first += 1
      return ProgramLine(text: text, instant: line.instant, thread: line.thread)
    }
    return lines.prefix { line in
      room -= line.text.utf8.count + 1
      return room >= 0
    }
  }
}
