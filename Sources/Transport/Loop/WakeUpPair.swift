// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import Glibc
import Locking

/// The pair of descriptors over which a multi handle is woken (curl_multi_wakeup), closed in children of the process.
///
/// Problem: libcurl makes the pair, of Unix sockets in 7.88 and as a pipe in 8.5, so that children inherit it, asks no callback of
/// ours, and names neither end. Choice: of those that a child would inherit, the pair's two are empty, hold one byte after a
/// wake-up, and are empty once that was taken. Since 8.9 it is an eventfd(2) that is close-on-exec; then there is nothing to
/// find, and after one search none is made. A child that another thread starts between the making and the marking still inherits
/// the pair, which leads nowhere outside of the process.
enum WakeUpPair {
  private struct Ends {
    var empty: Set<Int32> = []
    var readable: Set<Int32> = []
    var unread: Set<Int32> = []

    mutating func note(_ socket: Int32, unread: Int32, unsent: Int32) {
      switch (unread, unsent) {
      case (0, 0): empty.insert(socket)
      case (1, 0): readable.insert(socket)
      case (0, 1...): self.unread.insert(socket)
      default: break
      }
    }
  }

  /// True if this libcurl makes no pair: none was found among all descriptors. Locked for a whole search, since two pairs that are
  /// woken together could not be told apart.
  private static let isMissing = Locked(false)

  /// A new multi handle, with both ends of its pair marked; nil where there is no memory.
  ///
  /// The kernel gives the lowest free numbers (open(2)), so the pair is looked for there: looking through all descriptors costs
  /// more with every session of the process. Where others open and close theirs meanwhile all are looked through.
  static func makeHandle() -> UnsafeMutableRawPointer? {
    unsafe isMissing.withLock { isMissing in
      let likely = isMissing ? [] : lowestFree
      guard let multi = unsafe curl_multi_init() else { return nil }
      if !isMissing, unsafe closeInChildren(multi, among: likely) != .marked {
        isMissing = unsafe closeInChildren(multi, among: nil) == .missing
      }
      return unsafe multi
    }
  }

  /// Where the next descriptors are made: the two lowest numbers that are free, and a few behind each.
  private static var lowestFree: [Int32] {
    var ends: [Int32] = [-1, -1]
    guard unsafe workbench_pipe(&ends) == 0 else { return [] }
    for end in ends { close(end) }
    return Array(Set(ends.flatMap { $0..<($0 + 4) }))
  }

  private enum Search { case marked, missing, ambiguous }

  /// Marks both ends of a handle's pair among these descriptors, or all. A socket of the program's that fills and empties in the
  /// same moment makes the answer ambiguous: then it is asked once more, and nothing is marked in the end.
  private static func closeInChildren(_ multi: UnsafeMutableRawPointer, among likely: [Int32]?) -> Search {
    for _ in 0..<3 {
      let before = inherited(among: likely).empty
      guard before.count > 1, unsafe curl_multi_wakeup(multi) == CURLM_OK else { return .missing }
      let woken = inherited(among: likely)
      unsafe curl_multi_poll(multi, nil, 0, 0, nil)
      let after = before.intersection(inherited(among: likely).empty)
      let (readable, unread) = (woken.readable.intersection(after), woken.unread.intersection(after))
      if readable.isEmpty, unread.isEmpty { return .missing }
      guard readable.count == 1, unread.count == 1 else { continue }
      for socket in readable.union(unread) { closeInChildren(socket) }
      return .marked
    }
    return .ambiguous
  }

  /// Marks one descriptor close-on-exec.
  static func closeInChildren(_ socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  private static func inherited(among likely: [Int32]?) -> Ends {
    var ends = Ends()
    let visit: workbench_channel_visitor = { context, socket, unread, unsent in
      unsafe context?.assumingMemoryBound(to: Ends.self).pointee.note(socket, unread: unread, unsent: unsent)
    }
    unsafe withUnsafeMutablePointer(to: &ends) { ends in
      guard let likely else { return unsafe workbench_visit_inherited_channels(visit, unsafe ends) }
      for descriptor in likely { unsafe workbench_visit_inherited_channel(descriptor, visit, unsafe ends) }
    }
    return ends
  }
}
