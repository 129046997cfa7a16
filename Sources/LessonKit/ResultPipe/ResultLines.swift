// SPDX-License-Identifier: Apache-2.0

/// Takes the bytes of a child's result pipe apart into lines, and believes those alone that bear the run's seal.
struct ResultLines {
  /// A longer line is no line of ours, and what comes behind it is dropped.
  private static let longest = 16 << 20

  private let seal: ResultSeal
  private var line: [UInt8] = []
  private var isTooLong = false
  /// True if a line came that the measuring did not send. A line without its end does not count: the process may have ended
  /// in the midst of it.
  private(set) var haveForged = false

  /// No bytes yet.
  init(_ seal: ResultSeal) {
    self.seal = seal
  }

  /// Takes the next bytes and answers the sealed lines that they complete, without their tags.
  mutating func take(_ bytes: some Collection<UInt8>) -> [String] {
    var lines: [String] = []
    var rest = bytes[...]
    while !isTooLong, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      line += rest[..<end]
      rest = rest[rest.index(after: end)...]
      if let content = seal.opened(line) {
        lines.append(String(decoding: content, as: UTF8.self))
      } else {
        haveForged = true
      }
      line.removeAll(keepingCapacity: true)
    }
    guard !isTooLong else { return lines }
    line += rest
    isTooLong = line.count > Self.longest
    if isTooLong { line = [] }
    return lines
  }
}
