// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import Synchronization

/// A libcurl multi handle with its connections, DNS and TLS session caches, and the transfers that use them.
///
/// Everything here runs on the I/O thread. Connections are never shared between pools, as sessions do not share them.
final class ConnectionPool: @unchecked Sendable {
  // Sendable: after `init`, only jobs of the I/O thread touch the state.
  let number: UInt32
  let thread: IOThread
  /// The trusted authorities, in PEM; nil for the system's choice.
  let authorities: [UInt8]?
  private(set) var multi: UnsafeMutableRawPointer?
  private var share: UnsafeMutableRawPointer?
  private var active: [ObjectIdentifier: Transfer] = [:]
  /// Transfers that have a connection to themselves, by its socket.
  private var rawSockets: [Int32: Transfer] = [:]
  private var lines: HostLines<Transfer>
  /// Connections that took up a record and may hold more.
  var readers: [ReadAhead] = []
  var isReadingOnLater = false
  private var idleHandles = IdleHandles()
  /// The last request in libcurl's form.
  var lastRequest = LastRequest()
  /// Idle connections that are kept.
  private let idleLimit: Int
  private let connectionsPerHost: Int
  /// Whether a transfer has ended, so that a connection may be free.
  private var hasFreedConnection = false
  private var curlDeadline: Int64?
  private var nextCheck: Int64?
  private var isClosing = false
  private static let numbers = Atomic<UInt32>(0)

  init(connectionsPerHost: Int, authorities: [UInt8]?, thread: IOThread) {
    self.authorities = authorities
    self.connectionsPerHost = max(1, connectionsPerHost)
    lines = HostLines(limit: max(1, connectionsPerHost))
    idleLimit = max(64, connectionsPerHost)
    number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    self.thread = thread
    multi = CurlGlobal.isReady ? curl_multi_init() : nil
    if let multi { WakeUpPair.closeInChildren(multi) }
    share = curl_share_init()
    configure()
  }

  /// Releases libcurl's handles, on the I/O thread, since closing sockets changes its tables. A job of its own, because
  /// the last transfer may end in the middle of asking libcurl for more.
  private func dispose() {
    thread.remove(self)
    thread.post { [self] in releaseHandles() }
  }

  private func releaseHandles() {
    idleHandles = IdleHandles()
    if let multi { curl_multi_cleanup(multi) }
    if let share { curl_share_cleanup(share) }
    (multi, share) = (nil, nil)
  }

  /// The process ends, and the thread with it, before the pool's last job ran.
  deinit {
    if thread.isCurrent { releaseHandles() }
  }

  private func configure() {
    guard let multi else { return }
    if let share {
      // One thread uses it, so it needs no lock functions.
      _ = workbench_share_set_long(share, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_SSL_SESSION.rawValue))
    }
    _ = workbench_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
    makeRoomForIdleConnections()
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = workbench_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
    _ = workbench_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
    _ = workbench_multi_set_socket_callback(multi, Self.socketCallback)
    _ = workbench_multi_set_timer_callback(multi, Self.timerCallback)
  }
}

// MARK: - Transfers

extension ConnectionPool {
  /// Takes `transfer` in and lets libcurl begin, as soon as the limit of connections allows.
  func begin(_ transfer: Transfer) {
    Transport.assertOnThread()
    guard thread.canWatch else { return transfer.end(.outOfDescriptors) }
    guard !isClosing else { return transfer.end(.noHandle) }
    if active.isEmpty { thread.add(self) }
    active[ObjectIdentifier(transfer)] = transfer
    makeRoomForIdleConnections()
    guard !waitsInLine(transfer) || lines.enter(transfer, at: transfer.origin) else {
      return checkNoLater(than: transfer.deadline)
    }
    launch(transfer)
  }

  private func waitsInLine(_ transfer: Transfer) -> Bool {
    transfer.request.use == .exchange && !transfer.request.isSecure
  }

  /// It is the transfer's turn.
  private func launch(_ transfer: Transfer) {
    guard let multi, let handle = idleHandles.take(for: transfer.origin) ?? EasyHandle() else {
      passTurn(of: transfer)
      return transfer.end(.noHandle)
    }
    if let share, !handle.isPrepared, transfer.request.isSecure {
      handle.set(CURLOPT_SHARE, pointer: share)
    }
    transfer.take(handle)
    handle.set(CURLOPT_FRESH_CONNECT, mayFindConnection(transfer) ? 0 : 1)
    checkNoLater(than: transfer.deadline)
    curl_multi_add_handle(multi, handle.raw)
  }

  /// Whether a connection may be there to use or to share. libcurl looks at all of them, which takes long where many
  /// transfers begin at once; before the first has ended there is none to find but those of HTTP/2.
  private func mayFindConnection(_ transfer: Transfer) -> Bool {
    guard transfer.request.use == .exchange else { return false }
    return hasFreedConnection || active.count > connectionsPerHost || transfer.request.isSecure
  }

  /// Takes the transfer's handle from libcurl and puts it in again, to try on another connection.
  func beginAgain(_ transfer: Transfer, _ handle: EasyHandle, onNewConnection: Bool) {
    guard let multi else { return }
    handle.set(CURLOPT_FRESH_CONNECT, onNewConnection ? 1 : 0)
    curl_multi_remove_handle(multi, handle.raw)
    curl_multi_add_handle(multi, handle.raw)
  }

  /// The transfers whose connection has this socket.
  func transfers(on socket: Int32) -> [Transfer] {
    active.values.filter { $0.socket == socket }
  }

  /// Ends libcurl's part in `transfer`, but not the transfer.
  func release(_ transfer: Transfer, _ handle: EasyHandle) {
    Transport.assertOnThread()
    if let socket = transfer.rawSocket?.socket { rawSockets[socket] = nil }
    if let multi { curl_multi_remove_handle(multi, handle.raw) }
    // A connection that was only made ends with its handle.
    if transfer.request.use == .exchange {
      idleHandles.keep(handle, for: transfer.origin)
    } else {
      handle.transfer = nil
    }
    passTurn(of: transfer)
  }

  /// The next one in line begins, but not in the midst of what ends this one.
  private func passTurn(of transfer: Transfer) {
    guard waitsInLine(transfer), let next = lines.release(transfer.origin) else { return }
    thread.post { [self] in
      if next.hasEnded { passTurn(of: next) } else { launch(next) }
    }
  }

  /// Watches the socket of a raw connection, which libcurl watches no more.
  func watch(_ rawSocket: RawSocket, of transfer: Transfer, for events: UInt32) {
    rawSockets[rawSocket.socket] = transfer
    thread.want(events, of: rawSocket.socket, pool: number)
  }

  /// libcurl's limit (CURLMOPT_MAXCONNECTS) counts connections in use as well: with as many of them as the limit, each
  /// one that comes free would be closed.
  private func makeRoomForIdleConnections() {
    guard let multi else { return }
    _ = workbench_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleLimit + active.count)
  }

  /// Forgets an ended transfer.
  func remove(_ transfer: Transfer) {
    Transport.assertOnThread()
    guard active.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
    if !transfer.wasLaunched, waitsInLine(transfer) { _ = lines.drop(transfer, at: transfer.origin) }
    hasFreedConnection = true
    makeRoomForIdleConnections()
    guard active.isEmpty else { return }
    nextCheck = nil
    if isClosing { dispose() }
  }

  /// Cancels what is left but independent; the last end lets the pool and its connections go.
  func close() {
    Transport.assertOnThread()
    guard !isClosing else { return }
    guard !active.isEmpty else {
      isClosing = true
      return dispose()
    }
    isClosing = true
    for transfer in active.values where !transfer.isIndependent { transfer.cancelOnThread() }
  }

  /// The thread ends, and no consumer is called any more. The transfers stay known, since loads that never end hold
  /// themselves in a circle, and would be leaks once nothing else leads to them.
  func abandon() {
    for transfer in active.values { transfer.abandon() }
  }
}

// MARK: - Events

extension ConnectionPool {
  /// `socket` can be read, written or has failed.
  func socketReady(_ socket: Int32, _ action: Int32) {
    Transport.assertOnThread()
    if let transfer = rawSockets[socket] { return transfer.rawSocketReady() }
    guard let multi else { return }
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, action, &running)
    readOn()
    thread.touch(self)
  }

  /// Whether some transfer may have timed out.
  func isCheckDue(_ now: Int64) -> Bool { nextCheck.map { $0 <= now } ?? false }

  /// When `runTimers` has something to do again.
  var deadline: Int64? {
    guard let curlDeadline else { return nextCheck }
    return min(curlDeadline, nextCheck ?? curlDeadline)
  }

  /// Runs libcurl's timer and the transfers' time-outs when they are due.
  func runTimers(now: Int64) {
    if let deadline = curlDeadline, deadline <= now {
      curlDeadline = nil
      socketReady(CURL_SOCKET_TIMEOUT, 0)
    }
    if let check = nextCheck, check <= now { checkTimeouts(now) }
  }

  /// Gives its end to every transfer that libcurl has finished.
  func collectEnded() {
    guard let multi else { return }
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle else { continue }
      let result = workbench_message_result(message)
      var pointer: UnsafeMutableRawPointer?
      guard workbench_easy_get_pointer(raw, CURLINFO_PRIVATE, &pointer) == CURLE_OK else { continue }
      Transfer.from(pointer)?.curlEnded(result)
    }
  }

  /// A transfer's next time-out may be earlier than all others.
  func checkNoLater(than deadline: Int64?) {
    guard let deadline else { return }
    nextCheck = min(nextCheck ?? deadline, deadline)
  }

  /// Looks at all transfers at once: time-outs are long against the turns of the loop, so one look a minute for
  /// thousands of transfers costs less than a timer for each.
  private func checkTimeouts(_ now: Int64) {
    nextCheck = nil
    for transfer in active.values {
      guard let deadline = transfer.deadline else { continue }
      if deadline <= now { transfer.timedOut() } else { checkNoLater(than: deadline) }
    }
  }

  private static let socketCallback: workbench_socket_callback = { easy, socket, what, context, _ in
    guard let context else { return 0 }
    let pool = Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue()
    let events: UInt32 =
      switch what {
      case CURL_POLL_IN: EPOLLIN.rawValue
      case CURL_POLL_OUT: EPOLLOUT.rawValue
      case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
      default: 0
      }
    pool.thread.want(events, of: socket, pool: pool.number)
    return 0
  }

  private static let timerCallback: workbench_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    let pool = Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue()
    pool.curlDeadline = milliseconds < 0 ? nil : pool.thread.now + Int64(milliseconds) * 1_000_000
    return 0
  }
}
