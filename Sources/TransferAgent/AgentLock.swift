// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc

/// Only one agent works on a user's journals: the one that holds the lock on a file beside them (flock(2)), which goes with
/// its process.
struct AgentLock: Sendable {
  private static let attempts = 500
  private static let microsecondsBetween: UInt32 = 10_000
  private static let name = "url-transfer-agent"

  /// Open until this process ends.
  private let descriptor: Int32

  /// Makes this process the agent; nil when another one is, and listens.
  ///
  /// Another one may be about to end, or its socket may be gone with its folder: asked by a signal, it listens anew.
  static func take(_ places: Places) throws(TransferFault) -> AgentLock? {
    let descriptor = unsafe open(places.lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TransferFault("'\(places.lock)' cannot be opened: \(systemReason())") }
    for attempt in 0..<attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        let lock = AgentLock(descriptor: descriptor)
        lock.state(socket: nil)
        return lock
      }
      if let other = try? places.connect() {
        close(other)
        close(descriptor)
        return nil
      }
      if attempt % 50 == 1 { askToListen(descriptor) }
      usleep(microsecondsBetween)
    }
    throw TransferFault("Another agent holds '\(places.lock)' and does not listen.")
  }

  /// False if the file at `path` is another one than that which is locked, or none.
  func lies(at path: String) -> Bool {
    var (own, found) = (stat(), stat())
    guard unsafe stat(path, &found) == 0 else { return errno != ENOENT }
    return unsafe fstat(descriptor, &own) != 0 || own.st_ino == found.st_ino && own.st_dev == found.st_dev
  }

  /// Writes this process's number and its socket into the file.
  func state(socket: String?) { AgentStatement(process: getpid(), socket: socket).write(to: descriptor) }

  /// Sends the signal to the process that holds the lock, which its file names. A killed agent leaves its file: the process
  /// that it names may be any other by now, and SIGHUP would end that.
  private static func askToListen(_ descriptor: Int32) {
    guard let process = AgentStatement(in: descriptor)?.process, isAgent(process) else { return }
    kill(process, SIGHUP)
  }

  private static func isAgent(_ process: Int32) -> Bool {
    func executable(_ process: String) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }
    guard let path = executable("\(process)") else { return false }
    // " (deleted)" follows where the file was replaced.
    return path == executable("self") || (path as NSString).lastPathComponent.hasPrefix(name)
  }
}

/// Sentences for a person in search of a reason.
enum AgentLog {
  private static let limit: off_t = 1024 * 1024

  /// Standard output and standard error go to the file at `path` from now on, which begins anew whenever it has become long.
  static func open(_ path: String) {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    dup2(descriptor, 1)
    dup2(descriptor, 2)
    close(descriptor)
  }

  /// Writes a line. On a full disk it is lost: Foundation's `write` would end the process there.
  static func note(_ sentence: String) {
    var status = stat()
    // Where it is a file; the next line goes to its new end (O_APPEND).
    if unsafe fstat(2, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit { _ = ftruncate(2, 0) }
    let line = Array("\(Date().ISO8601Format()) \(getpid()) \(sentence)\n".utf8)
    _ = unsafe write(2, line, line.count)
  }
}
