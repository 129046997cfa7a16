// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import BackgroundTransfers

// What a program and the agent of background sessions say to one another, and what the agent reads again.
extension Target {
  /// Frames on the socket: the same messages however the bytes are cut, and none above its limit.
  static let backgroundFrames = Target("background-frames") { bytes in
    let whole = messages(bytes, step: max(1, bytes.count))
    check(whole == messages(bytes, step: 1), "cut otherwise, other messages")
    for case let message? in whole { check(message.count <= FrameReader.limit, "a message too long") }
  }

  /// The messages; nil at the end where the rest is refused.
  private static func messages(_ bytes: [UInt8], step: Int) -> [Data?] {
    var reader = FrameReader()
    var messages: [Data?] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      bytes[start..<min(bytes.count, start + step)].withUnsafeBytes { reader.append($0) }
      do {
        while let message = try reader.next() { messages.append(message) }
      } catch {
        return messages + [nil]
      }
    }
    return messages
  }

  /// A session's journal: what is read can be written and read again.
  static let journal = Target("journal") { bytes in
    guard let journal = try? Journal(data: Data(bytes), note: { _ in }) else { return }
    guard let data = try? journal.data else { return }
    let again = try? Journal(data: data, note: { check(false, $0) })
    check(again == journal, "a journal that changes when it is written")
  }
}
