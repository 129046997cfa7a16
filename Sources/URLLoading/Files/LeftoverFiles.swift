// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc

/// What the toolchain's atomic writes leave behind when their process is killed before the new file has got its name.
///
/// The toolchain writes into `.dat.nosync`, the process's number in hexadecimal digits, a dot and six characters
/// (swift-foundation, `Data+Writing.swift`), and then renames. It never looks for such a file again, and no limit of a
/// cache counts it: a process that is killed time and again would fill the disk.
enum LeftoverFiles {
  private static let beginning = ".dat.nosync"
  private static let secondsOfPeace: TimeInterval = 60

  /// Removes those in `folder` whose process is gone. One that changed within the last minute stays: in a folder that
  /// several machines or containers use, the number may be that of another's process. May block.
  static func remove(in folder: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard let process = process(in: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      let path = folder.appendingPathComponent(name).path
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, let changed = attributes[.modificationDate] as? Date,
        -changed.timeIntervalSinceNow > secondsOfPeace
      else { continue }
      unsafe unlink(path)
    }
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

extension URLCache {
  /// The folder with this cache's files; nil for one in memory alone. It has no public name, so where a later toolchain
  /// calls it something else this is nil, too.
  var folder: URL? {
    var mirror: Mirror? = Mirror(reflecting: self)
    while let side = mirror {
      if let folder = side.descendant("cacheDirectory") as? URL { return folder }
      mirror = side.superclassMirror
    }
    return nil
  }
}
