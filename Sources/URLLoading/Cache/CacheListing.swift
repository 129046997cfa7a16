// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The toolchain's files in a cache's folder, by the key they are named with. Used by one thread at a time; may block.
///
/// The toolchain lists the whole folder for each response it does not have, and so would we, to look at a file before it
/// does. What was listed stands as long as the folder has not changed.
struct CacheListing {
  private static let ending = ".storedcachedurlresponse"

  private let folder: String
  private let list: @Sendable (String) -> [String]
  private var names: [Substring: [String]] = [:]
  /// The folder's when it was listed; nil where a change might have been missed.
  private var stamp: FolderStamp?

  /// The files in `folder`, whose names `list` finds.
  init(_ folder: String, list: @escaping @Sendable (String) -> [String] = CacheListing.list) {
    self.folder = folder
    self.list = list
  }

  /// The names of the files for `key`, which has no dot in it.
  mutating func files(for key: String, at now: Int64 = FolderStamp.now) -> [String] {
    let current = FolderStamp(path: folder)
    if stamp == nil || stamp != current {
      names = Dictionary(grouping: list(folder).filter { $0.hasSuffix(Self.ending) }, by: Self.key)
      stamp = current.flatMap { $0.isSettled(at: now) ? $0 : nil }
    }
    return names[key[...]] ?? []
  }

  private static func key(_ name: String) -> Substring {
    let stem = name.dropLast(ending.count)
    return stem.lastIndex(of: ".").map { stem[stem.index(after: $0)...] } ?? ""
  }

  private static func list(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
