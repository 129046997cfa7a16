// SPDX-License-Identifier: Apache-2.0
import CLinux
public import Foundation
import Glibc
import Locking

/// The acts of a person while an exercise is watched: keys pressed, and files saved.
///
/// A thread waits for both at once with poll(2): for standard input, and for the kernel's word that a file of a watched
/// folder was closed after writing or moved into its place (inotify(7)), as editors do, or was removed.
public final class SaveWatch: Sendable {
  /// Something that happened.
  public enum Event: Sendable, Hashable {
    /// A key was pressed.
    case key(Character)
    /// A file may have been saved, or is gone.
    case saved
    /// There is no keyboard any more.
    case closed
  }

  private static let pause: Int32 = 500
  private let descriptor: Int32
  private let keyboard: Int32
  /// Ends a wait that begins to poll: a counter of the kernel's (eventfd(2)).
  private let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let isPolling: Locked<Bool>

  /// A watch over no folder yet. With `polling`, or where the kernel has no room for another watch, it says every half
  /// second that a file may have been saved.
  public convenience init(polling: Bool) { self.init(polling: polling, keyboard: STDIN_FILENO) }

  init(polling: Bool, keyboard: Int32) {
    descriptor = polling ? -1 : inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    isPolling = Locked(descriptor < 0)
    self.keyboard = keyboard
  }

  deinit {
    close(wakeUp)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Watches this folder as well. Where the kernel does not, as when the user has as many watches as there may be, it
  /// says every half second from now on that a file may have been saved.
  public func add(_ folder: URL) {
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE)
    guard descriptor < 0 || inotify_add_watch(descriptor, folder.path, events) < 0 else { return }
    isPolling.withLock { $0 = true }
    eventfd_write(wakeUp, 1)
  }

  /// The events from now on, until standard input ends or the task is cancelled. Call it once.
  public func events() -> AsyncStream<Event> {
    AsyncStream { stream in
      Thread.detachNewThread { [self] in
        while wait(stream) {}
        stream.yield(.closed)
        stream.finish()
      }
    }
  }

  /// Waits for the next event; false where there will be none any more.
  private func wait(_ stream: AsyncStream<Event>.Continuation) -> Bool {
    var waiting = [
      pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waiting, 3, isPolling.withLock { $0 } ? Self.pause : -1)
    guard count >= 0 else { return errno == EINTR }
    if waiting[1].revents != 0 { drain(descriptor) }
    if waiting[2].revents != 0 { drain(wakeUp) }
    if waiting[1].revents != 0 || count == 0 { stream.yield(.saved) }
    guard waiting[0].revents != 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 256)
    let size = read(keyboard, &bytes, bytes.count)
    guard size > 0 else { return false }
    for character in String(decoding: bytes.prefix(size), as: UTF8.self) { stream.yield(.key(character)) }
    return true
  }

  private func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
