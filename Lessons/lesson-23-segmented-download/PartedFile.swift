// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file that is put together from parts beside the one that is wanted. It
/// takes that one's place when every part is there, and not before.
///
/// Sendable: it is used on one queue that runs one block at a time.
final class PartedFile: @unchecked Sendable {
  let url: URL
  private let file: URL
  private let done: @Sendable (String) -> Void
  private var missing = 0
  private var stops: [() -> Void] = []
  private var hasEnded = false

  init(_ file: URL, _ done: @escaping @Sendable (String) -> Void) {
    (self.file, self.done) = (file, done)
    url = file.appendingPathExtension("parts")
  }

  // begin make
  /// Makes the file in its full size.
  func make(for parts: [FilePart]) throws {
    missing = parts.count
    try Data().write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    defer { try? handle.close() }
    let size = parts.reduce(0) { $0 + ($1.count ?? 0) }
    try handle.truncate(atOffset: UInt64(size))  // ←
  }
  // end make

  /// `stop` ends a part that is on its way.
  func add(stop: @escaping () -> Void) { stops.append(stop) }

  // begin ends
  /// One part is in its place.
  func partFinished() {
    missing -= 1
    guard missing == 0 else { return }  // ←
    end(rename(url.path, file.path) == 0 ? nil : "the old file stays")
  }

  /// One part failed, and so the file: the other parts are stopped.
  func fail(_ error: any Error) { end(error.localizedDescription) }

  private func end(_ problem: String?) {
    guard !hasEnded else { return }
    hasEnded = true
    for stop in stops { stop() }  // ←
    if problem != nil { try? FileManager.default.removeItem(at: url) }
    done(problem.map { "failed: \($0)" } ?? "finished")
  }
  // end ends
}
