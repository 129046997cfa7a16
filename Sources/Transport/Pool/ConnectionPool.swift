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
  /// True if they are given, or the system's were read.
  private var hasAuthorities: Bool
  /// nil before the first transfer, when libcurl cannot be used, and once the pool is closed.
  private var multi: MultiHandle?
  private var active: [ObjectIdentifier: Transfer] = [:]
  /// Transfers that have a connection to themselves, by its socket.
  private var rawSockets: [Int32: Transfer] = [:]
  private var lines: HostLines<Transfer>
  /// Connections that took up a record and may hold more.
  var readers: [ReadAhead] = []
  /// Connections of HTTP/2 whose TLS reads ahead: when a stream stops reading, OpenSSL may hold records of the other streams.
  var streams: [ReadAhead] = []
  /// True if a transfer ended or paused, so that one of them may hold bytes.
  var mayHaveLeftBytes = false
  var isReadingOnLater = false
  /// Connections that libcurl's handle has begun to make.
  var connectionsMade = 0
  private var idleHandles = IdleHandles()
  /// The last request in libcurl's form.
  var lastRequest = LastRequest()
  /// Idle connections that are kept.
  private let idleLimit: Int
  private let connectionsPerHost: Int
  /// True if a transfer has ended, so that a connection may be free.
  private var hasFreedConnection = false
  private var curlDeadline: Int64?
  private var nextCheck: Int64?
  private var isClosing = false
  /// True if the thread looks at `deadline` in each turn.
  var isTimed = false
  private static let numbers = Atomic<UInt32>(0)

  init(connectionsPerHost: Int, authorities: [UInt8]?, thread: IOThread) {
    self.authorities = authorities
    hasAuthorities = authorities != nil
    self.connectionsPerHost = max(1, connectionsPerHost)
    lines = HostLines(limit: max(1, connectionsPerHost))
    idleLimit = max(64, connectionsPerHost)
    number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    self.thread = thread
  }

  /// Makes libcurl's handle for the first transfer: a session that loads nothing needs none. False where that is not possible.
  private func prepare() -> Bool {
    guard multi == nil, !isClosing else { return multi != nil }
    multi = MultiHandle(connectionsPerHost: connectionsPerHost)
    makeRoomForIdleConnections()
    multi?.report(to: self)
    return multi != nil
  }

  /// Releases libcurl's handles, on the I/O thread, since closing sockets changes its tables. A job of its own, because
  /// the last transfer may end in the middle of asking libcurl for more.
  private func dispose() {
    thread.remove(self)
    thread.post { [self] in releaseHandles() }
  }

  private func releaseHandles() {
    idleHandles = IdleHandles()
    // Taken first: libcurl calls the pool while it closes connections.
    _ = multi.take()
  }

  /// The process ends, and the thread with it, before the pool's last job ran. libcurl is used on that thread alone, so on
  /// any other its handles are left to the kernel.
  deinit {
    if thread.isCurrent { releaseHandles() } else { multi.take()?.abandon() }
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
    guard !transfer.request.isSecure || knowsAuthorities(or: { self.launch(transfer) }, for: transfer) else {
      return transfer.countSilence()
    }
    guard prepare(), let handle = idleHandles.take(for: transfer.origin) ?? EasyHandle() else {
      passTurn(of: transfer)
      return transfer.end(.noHandle)
    }
    if !handle.isPrepared, transfer.request.isSecure { multi?.shareSecuritySessions(with: handle) }
    transfer.take(handle)
    handle.set(CURLOPT_FRESH_CONNECT, mayFindConnection(transfer) ? 0 : 1)
    checkNoLater(than: transfer.deadline)
    multi?.add(handle)
  }

  /// True if it is known whom to trust. Otherwise `job` is called once it is, on the I/O thread, unless `transfer` has ended.
  func knowsAuthorities(or job: @escaping @Sendable () -> Void, for transfer: Transfer) -> Bool {
    if hasAuthorities { return true }
    hasAuthorities = SystemAuthorities.shared.areRead { [thread] in
      thread.post { if !transfer.hasEnded { job() } }
    }
    return hasAuthorities
  }

  /// True if a connection may be there to use or to share. libcurl looks at all of them, which takes long where many
  /// transfers begin at once; before the first has ended there is none to find but those of HTTP/2.
  private func mayFindConnection(_ transfer: Transfer) -> Bool {
    guard transfer.request.use == .exchange else { return false }
    if transfer.request.isRedirected, !transfer.machine.isIdempotent { return false }
    return hasFreedConnection || active.count > connectionsPerHost || transfer.request.isSecure
  }

  /// Takes the transfer's handle from libcurl and puts it in again, to try on another connection.
  func beginAgain(_ transfer: Transfer, _ handle: EasyHandle, onNewConnection: Bool) {
    handle.set(CURLOPT_FRESH_CONNECT, onNewConnection ? 1 : 0)
    multi?.remove(handle)
    multi?.add(handle)
  }

  /// The same for a transfer that found no descriptor: an idle connection is closed for it first.
  func beginInRoom(_ transfer: Transfer, _ handle: EasyHandle) {
    multi?.limitAllConnections(to: 1)
    beginAgain(transfer, handle, onNewConnection: true)
  }

  /// That transfer has a connection, or is over.
  func foundRoom() {
    multi?.limitAllConnections(to: 0)
  }

  /// The transfers whose request was sent on the connection.
  func transfers(on connection: KnownConnection) -> [Transfer] {
    active.values.filter { $0.connection === connection }
  }

  /// Ends libcurl's part in `transfer`, but not the transfer.
  func release(_ transfer: Transfer, _ handle: EasyHandle) {
    Transport.assertOnThread()
    if let socket = transfer.rawSocket?.socket { rawSockets[socket] = nil }
    multi?.remove(handle)
    if handle.holdsBytes, CurlFacts.current.leaksHeldBytes { handle.dropHeldBytes() }
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
    multi?.limitConnections(to: idleLimit + active.count)
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
    if isClosing { dispose() } else if isWorn { thread.post { [self] in renew() } }
  }

  /// libcurl keeps an entry of each host whose last connection it closed to make room, and looks at all of them for each transfer.
  private var isWorn: Bool { connectionsMade >= 2_000 }

  /// Begins with another handle, unless a transfer began meanwhile.
  private func renew() {
    guard active.isEmpty, isWorn else { return }
    releaseHandles()
    (connectionsMade, curlDeadline) = (0, nil)
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
    // Told nothing, libcurl asks the system itself, and then only for transfers that are not paused.
    actOnSocket(socket, CurlFacts.current.readsWhilePaused ? 0 : action)
    readOn()
    thread.touch(self)
  }

  /// Lets libcurl work on `socket`: `action` is of CURL_CSELECT.
  func actOnSocket(_ socket: Int32, _ action: Int32) {
    multi?.act(on: socket, action)
  }

  /// libcurl wants these events (epoll_ctl(2)) of `socket` from now on.
  func want(_ events: UInt32, of socket: Int32) {
    thread.want(events, of: socket, pool: number)
  }

  /// libcurl wants another turn after so many milliseconds, or none when they are negative.
  func wantTurn(after milliseconds: Int) {
    curlDeadline = milliseconds < 0 ? nil : thread.now + Int64(milliseconds) * 1_000_000
    if !isTimed { thread.time(self) }
  }

  /// True if some transfer may have timed out.
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

  /// The kernel did not run the thread for a while in the middle of a turn: no transfer's idle time runs for that while.
  func stoodStill(since start: Int64, now: Int64) {
    for transfer in active.values { transfer.machine.stoodStill(since: start, now: now) }
  }

  /// Gives its end to every transfer that libcurl has finished.
  func collectEnded() {
    repeat {
      while let (transfer, result) = multi?.nextEnded() {
        mayHaveLeftBytes = true
        transfer.curlEnded(result)
      }
    } while readStreams()
  }

  /// A transfer's next time-out may be earlier than all others.
  func checkNoLater(than deadline: Int64?) {
    guard let deadline else { return }
    nextCheck = min(nextCheck ?? deadline, deadline)
    if !isTimed { thread.time(self) }
  }

  /// Looks at all transfers at once: time-outs are long against the turns of the loop, so one look a minute for
  /// thousands of transfers costs less than a timer for each.
  private func checkTimeouts(_ now: Int64) {
    nextCheck = nil
    for transfer in active.values {
      guard let deadline = transfer.deadline else { continue }
      if deadline <= now { transfer.deadlineReached() } else { checkNoLater(than: deadline) }
    }
  }
}
