// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// A socket of the Unix domain (unix(7)), open until it is closed by its holder.
package enum UnixSocket {
  /// Listens at `path`, where nothing may be; the file gets mode 0600.
  package static func listen(at path: String) throws(TransferFault) -> Int32 {
    let descriptor = try make()
    let mask = umask(0o177)
    let result = unsafe withAddress(path) { unsafe bind(descriptor, $0, $1) }
    umask(mask)
    guard result == 0, Glibc.listen(descriptor, 64) == 0 else {
      let fault = TransferFault("There is no listening at '\(path)': \(systemReason())")
      close(descriptor)
      throw fault
    }
    return descriptor
  }

  /// Connects to the agent at `path`.
  /// - Throws: where none listens, or one of another user does.
  package static func connect(to path: String) throws(TransferFault) -> Int32 {
    let descriptor = try make()
    guard unsafe withAddress(path, { unsafe Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let fault = TransferFault("No agent answers at '\(path)': \(systemReason())")
      close(descriptor)
      throw fault
    }
    guard peer(of: descriptor) != nil else {
      close(descriptor)
      throw TransferFault("The agent at '\(path)' belongs to another user.")
    }
    return descriptor
  }

  /// The process at the other end; nil where that is another user's.
  package static func peer(of descriptor: Int32) -> Int32? {
    var (user, process) = (uid_t.max, pid_t(0))
    guard unsafe workbench_peer(descriptor, &user, &process) == 0, user == geteuid() else { return nil }
    return process
  }

  /// True if the other end is closed, though that may not have been read yet.
  package static func isHungUp(_ descriptor: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&watched, 1, 0) > 0 && Int32(watched.revents) & (Int32(POLLHUP) | Int32(POLLERR)) != 0
  }

  private static func make() throws(TransferFault) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw TransferFault("There is no socket: \(systemReason())") }
    return descriptor
  }

  /// An address has room for 107 bytes (unix(7)). A longer path begins at its folder, which is opened for that.
  private static func withAddress(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    var (bytes, folder) = (Array(path.utf8), Int32(-1))
    defer { if folder >= 0 { close(folder) } }
    if bytes.count >= room {
      let whole = path as NSString
      folder = unsafe open(whole.deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { return -1 }
      bytes = Array("/proc/self/fd/\(folder)/\(whole.lastPathComponent)".utf8)
    }
    guard bytes.count < room else {
      errno = ENAMETOOLONG
      return -1
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
