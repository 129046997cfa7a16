// SPDX-License-Identifier: Apache-2.0
import CLinux
package import Dispatch
package import Foundation
import Glibc
import Locking

/// One connection between a client and the agent: messages out, messages in, one end. What it calls it calls on the queue
/// given, where it is to be used, too.
///
/// Nothing there blocks: what the other side does not take waits, up to a limit, above which the connection is given up. A
/// thread of its own waits for the socket: the toolchain's dispatch sources are not safe against a side that hangs up
/// while they are being cancelled.
package final class Channel: @unchecked Sendable {
  // Sendable: the constants never change, `signals` locks itself, everything else is touched on `queue` alone.

  /// The requests of the queue to the thread.
  private struct Signals {
    var isClosed = false
    var wantsToWrite = false
    /// Open until the thread has ended.
    var wake: Int32 = -1
  }

  package let descriptor: Int32
  private let queue: DispatchQueue
  private let signals = Locked(Signals())
  private var reader: FrameReader
  /// The bytes that the other side has not taken, behind `taken` bytes that it has.
  private var waiting = Data()
  private var taken = 0
  /// Of the bytes that wait, those that count towards no limit: a list that is as long as it is.
  private var allowance = 0
  private var isClosed = false
  private var onMessage: ((Data) -> Void)?
  private var onEnd: ((TransferFault?) -> Void)?

  /// Bytes that may wait for a side that does not read.
  private static let waitingLimit = 32 * 1024 * 1024

  /// Takes a connected socket over, and reads nothing before `open`. A message above `limit` bytes breaks the rules.
  package init(_ descriptor: Int32, queue: DispatchQueue, limit: Int = FrameReader.limit) {
    (self.descriptor, self.queue, reader) = (descriptor, queue, FrameReader(limit: limit))
  }

  /// The other side has named its session: its messages may be longer now.
  package func trust() { reader.limit = FrameReader.limit }

  /// Begins. `onMessage` takes each message, `onEnd` is called once: nil when the other side closed, a fault when it broke
  /// the rules. Neither is called after `close()`, which has to be called unless `onEnd` was.
  package func open(
    onMessage: @escaping @Sendable (Data) -> Void, onEnd: @escaping @Sendable (TransferFault?) -> Void
  ) {
    handOver(onMessage: onMessage, onEnd: onEnd)
    let wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wake >= 0 else { return fail(TransferFault("A connection cannot be watched: \(systemReason())")) }
    signals.withLock { $0.wake = wake }
    let reason = startThread()
    guard reason != 0 else { return }
    _ = Glibc.close(wake)
    signals.withLock { $0.wake = -1 }
    fail(TransferFault("A connection cannot be watched: \(unsafe String(cString: strerror(reason)))"))
  }

  /// Foundation's threads do not tell whether they have started. Returns 0 or the system's reason.
  private func startThread() -> Int32 {
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 256 * 1024)
    let this = unsafe Unmanaged.passRetained(self)
    let reason = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        Thread.current.name = "url-channel"
        unsafe Unmanaged<Channel>.fromOpaque(argument).takeRetainedValue().attend()
        return nil
      }, unsafe this.toOpaque())
    if reason != 0 { unsafe this.release() }
    return reason
  }

  /// There is no thread, which would close the socket.
  private func fail(_ fault: TransferFault) {
    _ = Glibc.close(descriptor)
    queue.async { [self] in end(fault) }
  }

  /// Messages and the end go elsewhere from now on.
  package func handOver(
    onMessage: @escaping @Sendable (Data) -> Void, onEnd: @escaping @Sendable (TransferFault?) -> Void
  ) {
    (self.onMessage, self.onEnd) = (onMessage, onEnd)
  }

  /// Sends a message.
  package func send(_ message: some Codable) throws(TransferFault) {
    try send([Talk.encode(message)], isBounded: true)
  }

  /// Sends the tasks that there are, in as many messages as it takes.
  package func send(list: [TransferRecord]) throws(TransferFault) {
    try send(Talk.encode(list: list), isBounded: false)
  }

  private func send(_ messages: [Data], isBounded: Bool) throws(TransferFault) {
    let frames = try messages.map { message throws(TransferFault) in try FrameReader.frame(message) }
    guard !isClosed, signals.withLock({ $0.wake }) >= 0 else { return }
    for frame in frames {
      waiting.append(frame)
      if !isBounded { allowance += frame.count }
    }
    write()
    if waiting.count - taken > Self.waitingLimit + allowance { end(TransferFault("The other side does not read.")) }
  }

  /// Closes the connection. What the system has taken is still delivered, what waits here is not.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    (onMessage, onEnd) = (nil, nil)
    signal { $0.isClosed = true }
  }

  private func end(_ fault: TransferFault?) {
    guard !isClosed else { return }
    let onEnd = onEnd
    close()
    onEnd?(fault)
  }

  private func take(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe reader.append($0) }
    do throws(TransferFault) {
      while !isClosed, let message = try reader.next() { onMessage?(message) }
    } catch {
      end(error)
    }
  }

  private func write() {
    defer { forgetTaken() }
    while taken < waiting.count {
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      let count = unsafe waiting.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[taken...])
        return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return signal { $0.wantsToWrite = true } }
      // The end shows when it is read, behind what the other side may have said before.
      taken = count > 0 ? taken + count : waiting.count
    }
  }

  /// Gives back the memory of what the other side has, when that is half: not a copy of the rest for each piece.
  private func forgetTaken() {
    guard taken > waiting.count / 2 || taken == waiting.count else { return }
    waiting = taken < waiting.count ? Data(waiting[taken...]) : Data()
    taken = 0
    if waiting.isEmpty { allowance = 0 }
  }

  private func signal(_ change: (inout Signals) -> Void) {
    signals.withLock { signals in
      change(&signals)
      var one: UInt64 = 1
      if signals.wake >= 0 { _ = unsafe Glibc.write(signals.wake, &one, 8) }
    }
  }

  // MARK: On the thread

  /// Waits for the socket, and closes it when the connection is closed.
  private func attend() {
    let wake = signals.withLock { $0.wake }
    var hasEnded = false
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let state = signals.withLock { $0 }
      if state.isClosed { break }
      let wanted = hasEnded ? 0 : Int16(POLLIN) | (state.wantsToWrite ? Int16(POLLOUT) : 0)
      var watched = [
        pollfd(fd: hasEnded ? -1 : descriptor, events: wanted, revents: 0),
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&watched, 2, -1) > 0 else { continue }
      var count: UInt64 = 0
      if watched[1].revents != 0 { _ = unsafe read(wake, &count, 8) }
      if watched[0].revents & Int16(POLLOUT) != 0 {
        signals.withLock { $0.wantsToWrite = false }
        queue.sync { write() }
      }
      if watched[0].revents & ~Int16(POLLOUT) != 0 { hasEnded = receive(&buffer) }
    }
    signals.withLock { signals in
      _ = Glibc.close(wake)
      signals.wake = -1
    }
    _ = Glibc.close(descriptor)
  }

  /// Reads the bytes that the peer sent and takes them apart; true when the peer has closed or reading has failed.
  private func receive(_ buffer: inout [UInt8]) -> Bool {
    let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    let bytes = Array(buffer.prefix(max(0, count)))
    queue.sync { if bytes.isEmpty { end(nil) } else { take(bytes) } }
    return bytes.isEmpty
  }
}
