// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A directory of one test's own, removed with it.
final class TestDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "SessionAPITests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The names of the files in it.
  var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
  }

  /// How many bytes the file of that name has; nil without such a file.
  func size(of name: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }
}
