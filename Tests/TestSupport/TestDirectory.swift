// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A directory of one test's own, removed with it.
public final class TestDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes an empty one among the temporary files, with mode 0700.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "workbench-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The names of the files in it.
  public var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
  }

  /// How many bytes the file of that name has; nil without such a file.
  public func size(of name: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }
}

extension FileManager {
  /// The mode of a file or folder; nil without one.
  public func mode(of path: String) -> Int? { (try? attributesOfItem(atPath: path))?[.posixPermissions] as? Int }
}
