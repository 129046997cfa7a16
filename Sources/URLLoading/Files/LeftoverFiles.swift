// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The files that atomic writes leave behind when their process is killed before the new file has got its name.
///
/// Our files, and the toolchain's, are written as `.dat.nosync`, the process's number in hexadecimal digits, a dot and six
/// characters (swift-foundation, `Data+Writing.swift`), and then renamed. Nobody else looks for such a file again, and no limit
/// of a cache counts it: a process that is killed time and again would fill the disk.
enum LeftoverFiles {
  private static let beginning = ".dat.nosync"
  private static let leastAge: TimeInterval = 60

  /// Removes those in `folder` whose process is gone, and what else `isUnwanted` says of a name. One that changed within the
  /// last minute stays: in a folder that several machines or containers use, the number may be that of another's process. May
  /// block.
  static func remove(in folder: URL, where isUnwanted: (String) -> Bool = { _ in false }) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard isLeft(name) || isUnwanted(name) else { continue }
      let path = folder.appendingPathComponent(name).path
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, let changed = attributes[.modificationDate] as? Date,
        -changed.timeIntervalSinceNow > leastAge
      else { continue }
      unsafe unlink(path)
    }
  }

  private static func isLeft(_ name: String) -> Bool {
    guard let process = process(in: name) else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Which process a file of this name is, or was, written by; nil for other files.
  static func process(in name: String) -> Int32? {
    guard name.hasPrefix(beginning) else { return nil }
    let parts = name.dropFirst(beginning.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 6, parts[0].allSatisfy(\.isHexDigit),
      let number = Int32(parts[0], radix: 16), number > 0
    else { return nil }
    return number
  }
}
