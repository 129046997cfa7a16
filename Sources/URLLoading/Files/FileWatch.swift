// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking
import Synchronization

/// Tells whether a file may have changed since a look at it, and asks no disk for that: the kernel gives notice of a change
/// (inotify(7)) before the writer's call returns. A file that is not there is seen to come.
///
/// What another machine changes in a shared folder gives no notice: that is what `isOld` is for. One descriptor serves all files of
/// the process; where the kernel has none left, every file may have changed at any time. Any thread.
final class FileWatch: Sendable {
  private let path: String
  private let mark = Mark()

  /// What the notices of one file come to.
  fileprivate final class Mark: Sendable {
    let isChanged = Atomic(true)
    /// Nanoseconds of the monotonic clock.
    let lastLook = Atomic<UInt64>(0)
  }

  init(_ path: String) { self.path = path }

  deinit { Notices.shared.forget(mark) }

  /// True if the file may have changed since `willLook()`. Never waits for a disk.
  var mayHaveChanged: Bool { !Notices.shared.take() || mark.isChanged.load(ordering: .acquiring) }

  /// True if the last look was more than a second ago, so that a file on a server may have changed.
  var isOld: Bool {
    DispatchTime.now().uptimeNanoseconds - mark.lastLook.load(ordering: .relaxed) > 1_000_000_000
  }

  /// Call it before a look at the file: what changes from now on counts as changed. May block.
  func willLook() {
    mark.lastLook.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
    guard mayHaveChanged else { return }
    mark.isChanged.store(false, ordering: .releasing)
    if !watch() { mark.isChanged.store(true, ordering: .releasing) }
  }

  /// Watches the file, or the folder in which it or a folder above it is missing.
  private func watch() -> Bool {
    var (place, missing) = (path, String?.none)
    while true {
      if Notices.shared.add(place, mark) {
        // It may have come before its folder was watched.
        guard let next = missing, unsafe access(next, F_OK) == 0 else { return true }
        (place, missing) = (path, nil)
        continue
      }
      guard errno == ENOENT, place.utf8.count > 1 else { return false }
      (missing, place) = (place, (place as NSString).deletingLastPathComponent)
    }
  }
}

/// The notices of the process.
private final class Notices: Sendable {
  static let shared = Notices()

  private struct State {
    /// Whom the notices of a watch are for. A file has one watch, however many ask for it.
    var marks: [Int32: [Weak]] = [:]
    /// How many calls of `add` are under way. The kernel may answer one with a watch of `idle`, and may give notice of it before `add`
    /// has noted its owner.
    var adding = 0
    /// Watches whose last owner has called `forget`. `dropIdle` takes them out of the kernel's list.
    var idle: Set<Int32> = []
    /// Watches of which a notice came before it was known whom it is for, and whether some notices were lost meanwhile.
    var early: Set<Int32> = []
    var hasLost = false
  }

  private struct Weak {
    weak var mark: FileWatch.Mark?
  }

  private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private let state = Locked(State())
  private static let kinds = UInt32(
    IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT)

  /// Watches what lies there from now on, for this mark in place of what was watched for it; false with `errno` where that cannot
  /// be. May block.
  func add(_ path: String, _ mark: FileWatch.Mark) -> Bool {
    state.withLock { $0.adding += 1 }
    let watch = unsafe inotify_add_watch(descriptor, path, Self.kinds)
    let error = errno
    state.withLock { state in
      state.adding -= 1
      guard watch >= 0 else { return }
      if state.hasLost || state.early.contains(watch) { mark.isChanged.store(true, ordering: .releasing) }
      forget(mark, &state)
      state.marks[watch, default: []].append(Weak(mark: mark))
      state.idle.remove(watch)
      dropIdle(&state)
    }
    errno = error
    return watch >= 0
  }

  /// No notice is for this mark any more.
  func forget(_ mark: FileWatch.Mark) {
    state.withLock { state in
      forget(mark, &state)
      dropIdle(&state)
    }
  }

  private func forget(_ mark: FileWatch.Mark, _ state: inout State) {
    for (watch, marks) in state.marks where marks.contains(where: { $0.mark === mark }) {
      let others = marks.filter { $0.mark != nil && $0.mark !== mark }
      state.marks[watch] = others
      if others.isEmpty { state.idle.insert(watch) }
    }
  }

  private func dropIdle(_ state: inout State) {
    guard state.adding == 0 else { return }
    for watch in state.idle {
      state.marks[watch] = nil
      inotify_rm_watch(descriptor, watch)
    }
    (state.idle, state.early, state.hasLost) = ([], [], false)
  }

  /// Takes all notices there are to the marks that they are for. False where there can be none.
  func take() -> Bool {
    guard descriptor >= 0 else { return false }
    state.withLock { state in
      unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while true {
          let size = unsafe read(descriptor, buffer.baseAddress, buffer.count)
          guard size > 0 else { return }
          var place = 0
          while place < size {
            let notice = unsafe buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
            Self.take(notice, &state)
            place += MemoryLayout<inotify_event>.size + Int(notice.len)
          }
        }
      }
    }
    return true
  }

  private static func take(_ notice: inotify_event, _ state: inout State) {
    if notice.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      state.hasLost = true
      for mark in state.marks.values.joined() { mark.mark?.isChanged.store(true, ordering: .releasing) }
    } else if let marks = state.marks[notice.wd] {
      for mark in marks { mark.mark?.isChanged.store(true, ordering: .releasing) }
    } else if state.adding > 0 {
      state.early.insert(notice.wd)
    }
    // The kernel watches it no more.
    guard notice.mask & UInt32(IN_IGNORED) != 0 else { return }
    state.marks[notice.wd] = nil
    state.idle.remove(notice.wd)
  }
}
