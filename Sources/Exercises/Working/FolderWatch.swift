// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Counts how often files of a folder were opened for writing, as the kernel reports it (inotify(7)): each such opening
/// ends with IN_CLOSE_WRITE, also when the process ends. The kernel keeps the events until they are read. It makes one of
/// two that are the same and follow one another, so IN_OPEN is asked for as well, which stands between them.
///
/// A folder within the folder would need a watch from the moment it is there, and files opened before the watch would be
/// missed. So it is noted instead: what is opened there is not counted.
///
/// A file that is there from the beginning has a watch of its own, which sees it opened by each of its names: a link from
/// elsewhere is none of the folder's. What is seen both ways counts once.
final class FolderWatch: Sendable {
  /// The openings seen in a run.
  enum Openings: Sendable, Hashable {
    case counted(Int)
    /// There were more than the kernel keeps.
    case tooMany
    /// A folder was made or moved in.
    case hidden
  }

  private let descriptor: Int32

  /// Watches the folder from now on; nil where the kernel has no room for another watch.
  init?(_ folder: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, folder, UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO)) >= 0 else {
      close(descriptor)
      return nil
    }
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !file.hasPrefix(".") {
      // Without a watch of its own it is counted by the folder's.
      _ = inotify_add_watch(descriptor, "\(folder)/\(file)", UInt32(IN_OPEN | IN_CLOSE_WRITE))
    }
  }

  deinit { close(descriptor) }

  /// The openings for writing that have ended since the last call.
  func take() -> Openings {
    var counts: [Int32: Int] = [:]
    var (isTooMany, hasFolders) = (false, false)
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
      while true {
        let size = read(descriptor, buffer.baseAddress, buffer.count)
        guard size > 0 else { return }
        var place = 0
        while place < size {
          let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isTooMany = true }
          if event.mask & UInt32(IN_CLOSE_WRITE) != 0 { counts[event.wd, default: 0] += 1 }
          let isNew = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
          if isNew, event.mask & UInt32(IN_ISDIR) != 0 { hasFolders = true }
          place += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
    return hasFolders ? .hidden : isTooMany ? .tooMany : .counted(counts.values.max() ?? 0)
  }
}
