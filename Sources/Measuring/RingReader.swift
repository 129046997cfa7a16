// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import LessonKit
import Locking
import Synchronization

/// Listens at a Unix socket in a folder of its own for programs that were started to be measured, and reads their rings on a
/// thread of its own.
final class RingReader: @unchecked Sendable {
  // Sendable: what changes belongs to the reader's thread until `finish()` has waited for its end.

  /// How many processes are measured at once; others run unmeasured.
  static let most = 64
  /// How many are measured in all, one after the other.
  static let mostInAll = 256
  private static let pause: Int32 = 10
  private static let samplePauses = 5
  /// So many turns sample each time, for programs that are short.
  private static let firstTurns = 50

  /// The folder, and the socket's path in it.
  private let folder: MeasureFolder
  let path: String
  private let listener: Int32
  private let showsQueries: Bool
  private let start = ContinuousClock.now
  private let isOver = Atomic<Bool>(false)
  private let hasStopped = DispatchSemaphore(value: 0)
  private var processes: [MeasuredProcess] = []
  private var results: [ProcessResult] = []
  private(set) var refused = 0
  private(set) var liars = 0

  /// - Throws: `LessonKitError` with code `environment` when there is no place for the socket.
  init(showsQueries: Bool) throws(LessonKitError) {
    guard let made = MeasureFolder() else {
      throw LessonKitError(.environment, "No folder for the socket of the measurement could be made in /tmp.")
    }
    folder = made
    path = folder.path + "/ring"
    self.showsQueries = showsQueries
    listener = Self.listen(at: path)
    guard listener >= 0 else {
      folder.remove()
      throw LessonKitError(.environment, "The socket of the measurement could not be opened in /tmp.")
    }
  }

  private static func listen(at path: String) -> Int32 {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isOpen = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
          && Glibc.listen(listener, 64) == 0
      }
    }
    if !isOpen, listener >= 0 { close(listener) }
    return isOpen ? listener : -1
  }

  /// Seconds since the reader was made.
  var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Reads until `finish()`. `tick` is called on the reader's thread with each sample of memory.
  func begin(_ tick: @escaping @Sendable (Double) -> Void) {
    let thread = Thread { [self] in
      var turn = 0
      while !isOver.load(ordering: .relaxed) {
        wait()
        if turn < Self.firstTurns || turn % Self.samplePauses == 0 {
          for process in processes { process.sample(at: now) }
          tick(now)
        }
        for process in processes { process.read() }
        turn += 1
      }
      hasStopped.signal()
    }
    thread.name = "measure"
    thread.start()
  }

  /// Waits for a new process, the end of one, or a pause.
  private func wait() {
    var sockets = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    sockets += processes.flatMap(\.awaited)
    guard poll(&sockets, nfds_t(sockets.count), Self.pause) > 0 else { return }
    for (index, process) in processes.enumerated() where process.hasEnded(sockets[(2 * index + 1)...(2 * index + 2)]) {
      end(process)
    }
    guard sockets[0].revents != 0 else { return }
    let link = workbench_accept(listener)
    guard link >= 0 else { return }
    guard processes.count < Self.most, processes.count + results.count < Self.mostInAll else {
      refused += 1
      close(link)
      return
    }
    guard let process = MeasuredProcess(link, at: now, showsQueries: showsQueries) else { return }
    // The same process again: it has executed another program.
    processes.first { $0.process == process.process }.map(end)
    process.sample(at: now)
    processes.append(process)
  }

  private func end(_ process: MeasuredProcess) {
    let result = process.finish(at: now)
    if result.sentNonsense, result.loads.isEmpty { liars += 1 } else { results.append(result) }
    processes.removeAll { $0 === process }
  }

  /// Ends the reading and answers what was measured, in the order in which the processes began.
  func finish() -> [ProcessResult] {
    isOver.store(true, ordering: .relaxed)
    hasStopped.wait()
    for process in processes { end(process) }
    close(listener)
    folder.remove()
    return results.sorted { $0.began < $1.began }
  }
}
