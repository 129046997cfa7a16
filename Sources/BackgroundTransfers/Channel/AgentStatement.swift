// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The agent's entry in its lock file: a line with its process, then one with the path of its socket.
package struct AgentStatement: Equatable, Sendable {
  package var process: Int32
  /// nil while the agent does not listen yet.
  package var socket: String?

  private static let limit = 8 * 1024

  package init(process: Int32, socket: String?) { (self.process, self.socket) = (process, socket) }

  package init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let process = lines.first.flatMap({ Int32($0) }), process > 1 else { return nil }
    self.process = process
    // A line that is being written has no end yet.
    if lines.count > 2, lines[1].hasPrefix("/") { socket = String(lines[1]) }
  }

  /// Reads the file at `path`; nil where no agent has stated anything.
  package init?(at path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    self.init(in: descriptor)
  }

  package init?(in descriptor: Int32) {
    var text = [UInt8](repeating: 0, count: Self.limit)
    let count = unsafe pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return nil }
    self.init(String(decoding: text.prefix(count), as: UTF8.self))
  }

  package func write(to descriptor: Int32) {
    let text = Array("\(process)\n\(socket.map { $0 + "\n" } ?? "")".utf8)
    _ = ftruncate(descriptor, 0)
    _ = unsafe pwrite(descriptor, text, text.count, 0)
  }
}
