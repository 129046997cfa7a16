// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import Glibc
import Locking
import Synchronization
import Timeline

/// The one thread that owns every libcurl handle and every socket of a process.
///
/// Problem: libcurl's handles belong to one thread at a time, transfers are many, and a thread for each would cost
/// memory and switches. Choice: one thread around epoll; libcurl says which sockets and which timer it wants
/// (`curl_multi_socket_action`), others post jobs and wake the thread through an eventfd, but only when it sleeps.
/// Rejected: `curl_multi_poll`, which asks for all sockets on every turn, and a thread for each pool.
///
/// A socket that libcurl lets go of stays known to the kernel until it is closed or has an event, so that a
/// kept-alive connection costs no call of epoll for each request.
final class IOThread: @unchecked Sendable {
  // Sendable: `jobs` is behind its lock; everything marked so below is touched on the thread alone, which `run` starts.
  typealias Job = @Sendable () -> Void

  /// A job in an array. A bare closure would be wrapped once more, with memory of its own.
  struct Entry {
    let run: Job
  }

  private struct Jobs {
    var waiting: [Entry] = []
    var isAsleep = false
    var isStopping = false
    var isRunning = false
  }

  struct Socket {
    var pool: UInt32 = 0
    var watched: UInt32 = 0
    var wanted: UInt32 = 0
    /// True if a connection is made or stands on it, of whose end `socketCloses` tells.
    var isConnection = false
  }

  /// The thread of the process, started with the first pool. It is ended and joined when the process exits, before
  /// OpenSSL's own handlers take their tables away.
  static let shared = IOThread(endsAtExit: true)

  private let jobs = Locked(Jobs())
  let epoll: Epoll?
  private let thread = Locked<pthread_t?>(nil)

  // Of the thread alone:
  private var pools: [UInt32: ConnectionPool] = [:]
  /// Those that may have a deadline, which each turn looks at.
  private var timed: [UInt32: ConnectionPool] = [:]
  /// As many of them may have none: taking one out and in again for each transfer costs more than looking at it.
  private static let mostUntimed = 8
  var sockets: [Socket] = []
  /// The facts known of the connections behind the sockets.
  var connections = KnownConnections()
  /// The transfer that sends a body over a socket.
  var uploads: [Int32: Transfer] = [:]
  /// Connections that bring more than the thread wants to be woken for.
  var coalescing = ReceiveCoalescing()
  /// How often the thread has slept.
  private(set) var waits = 0
  private var touched: [ConnectionPool] = []
  /// The jobs of this turn, and the next turn's room for them.
  private var batch: [Entry] = []
  var later = Later()
  /// As many jobs have room that is kept.
  private static let usualBatch = 256
  /// The clock of the turn, in nanoseconds of the monotonic clock.
  private(set) var now = MonotonicClock.now

  init(endsAtExit: Bool = false) {
    _ = CurlGlobal.isReady
    epoll = Epoll()
    guard endsAtExit else { return }
    atexit {
      IOThread.shared.stop()
      SystemAuthorities.shared.stop()
    }
  }

  /// Runs `job` on the thread, after all that were posted before. Starts the thread with the first job. After `stop`
  /// jobs are kept and never run: what they hold must not go on another thread.
  func post(_ job: @escaping Job) {
    let (wakes, starts) = jobs.withLock { jobs in
      jobs.waiting.append(Entry(run: job))
      guard !jobs.isStopping else { return (false, false) }
      defer {
        jobs.isAsleep = false
        jobs.isRunning = true
      }
      return (jobs.isAsleep, !jobs.isRunning)
    }
    if wakes { epoll?.wake() }
    if starts { start() }
  }

  /// Ends the thread and waits until it is gone: transfers in flight are dropped, their consumers are not called again.
  /// Not to be called on the thread itself.
  func stop() {
    jobs.withLock { jobs in
      jobs.isStopping = true
      jobs.isAsleep = false
    }
    epoll?.wake()
    guard let id = thread.withLock({ $0.take() }) else { return }
    pthread_join(id, nil)
  }

  private func start() {
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    thread.withLock { thread in
      var id = pthread_t()
      thread = unsafe pthread_create(&id, nil, Self.body, context) == 0 ? id : nil
      guard thread == nil else { return }
      // The kernel gives no thread now; the next job tries again.
      unsafe Unmanaged<IOThread>.fromOpaque(context).release()
      jobs.withLock { $0.isRunning = false }
    }
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    Timeline.libraryThreadBegan()
    defer { Timeline.libraryThreadEnded() }
    if let context = unsafe context { unsafe Unmanaged<IOThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }
}

// MARK: - The turn of the loop

extension IOThread {
  /// True if the caller runs on this thread.
  var isCurrent: Bool {
    unsafe pthread_getspecific(Self.key) == UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  private func run() {
    unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    unsafe workbench_name_thread("url-transport")
    while runJobs() {
      if !coalescing.isEmpty { coalescing.expire(now: now) }
      if later.alarms.isDue(now) || timed.values.contains(where: { $0.isCheckDue(now) }) { catchUp() }
      runAlarms()
      for pool in timed.values { pool.runTimers(now: now) }
      for pool in touched { pool.collectEnded() }
      touched.removeAll(keepingCapacity: true)
      if !later.idle.isEmpty {
        if waitForSockets(milliseconds: 0) == 0 || isIdleOverdue { runIdleJobs() }
      } else if mayWait() {
        waits &+= 1
        if timed.count > Self.mostUntimed { dropUntimed() }
        if !coalescing.isEmpty { coalescing.beforeWait(now: MonotonicClock.now) }
        _ = waitForSockets(milliseconds: timeout(until: nextDeadline))
        jobs.withLock { $0.isAsleep = false }
      }
    }
    for pool in pools.values { pool.abandon() }
  }

  /// True if the process had descriptors left for what the thread waits with.
  var canWatch: Bool { epoll != nil }

  private func waitForSockets(milliseconds: Int32) -> Int {
    var count = 0
    // Without descriptors every transfer fails at once, and only jobs are waited for.
    if epoll == nil { poll(nil, 0, 10) }
    epoll?.wait(timeoutMilliseconds: milliseconds) { key, events in
      if count == 0 { readClock(hasSlept: milliseconds != 0) }
      count += 1
      socketReady(Int32(truncatingIfNeeded: key), pool: UInt32(key >> 32), events: events)
    }
    if count == 0 { readClock(hasSlept: milliseconds != 0) }
    return count
  }

  /// Reads the clock. A long time since the last reading, without a sleep, means that the kernel did not run the thread, as in
  /// a stopped process, or that one turn had much to do. Bytes that the thread read in that time count as read now.
  private func readClock(hasSlept: Bool = false) {
    let before = now
    now = MonotonicClock.now
    guard !hasSlept, now - before > Self.longTurn else { return }
    for pool in pools.values { pool.stoodStill(since: before, now: now) }
  }

  /// The nanoseconds from which a turn is long.
  private static let longTurn: Int64 = 50_000_000

  /// Takes the events of every socket: a thread that did not run for a while must not take its own sleep for a server's
  /// silence.
  private func catchUp() {
    for _ in 0..<64 where waitForSockets(milliseconds: 0) < Epoll.batch - 1 { break }
  }

  /// False once the thread is to end.
  private func runJobs() -> Bool {
    let stops = jobs.withLock { jobs in
      swap(&jobs.waiting, &batch)
      return jobs.isStopping
    }
    guard !stops else {
      // The pools that the jobs hold are released here: a pool may only release its handles on this thread.
      batch = []
      return false
    }
    readClock()
    for job in batch { job.run() }
    batch.removeAll(keepingCapacity: batch.capacity <= Self.usualBatch)
    return true
  }

  /// True if no job was posted meanwhile, so that the thread may sleep until a post wakes it.
  private func mayWait() -> Bool {
    jobs.withLock { jobs in
      jobs.isAsleep = jobs.waiting.isEmpty && !jobs.isStopping
      return jobs.isAsleep
    }
  }

  /// When the thread has something to do though no socket speaks.
  private var nextDeadline: Int64? {
    let pool = timed.values.lazy.compactMap(\.deadline).min()
    guard let alarm = later.alarms.next else { return pool }
    return min(alarm, pool ?? alarm)
  }

  private func timeout(until deadline: Int64?) -> Int32 {
    guard deadline != nil || !coalescing.isEmpty else { return -1 }
    readClock()
    let limit = coalescing.isEmpty ? .max : now + ReceiveCoalescing.longestDelay
    let milliseconds = (min(deadline ?? .max, limit) - now + 999_999) / 1_000_000
    return Int32(clamping: max(0, milliseconds))
  }
}

// MARK: - Pools and sockets, on the thread

extension IOThread {
  /// Takes `pool` into the turn.
  func add(_ pool: ConnectionPool) {
    pools[pool.number] = pool
  }

  /// `pool` has a deadline from now on.
  func time(_ pool: ConnectionPool) {
    pool.isTimed = true
    timed[pool.number] = pool
  }

  /// A process may keep thousands of sessions that load nothing just now.
  private func dropUntimed() {
    for pool in timed.values where pool.deadline == nil {
      pool.isTimed = false
      timed[pool.number] = nil
    }
  }

  /// Lets `pool` go.
  func remove(_ pool: ConnectionPool) {
    pools[pool.number] = nil
    timed[pool.number] = nil
    // The wishes of libcurl while it is cleaned up bring the pool back no more.
    pool.isTimed = true
    touched.removeAll { $0 === pool }
  }

  /// Notes that transfers of `pool` may have ended.
  func touch(_ pool: ConnectionPool) {
    if touched.last !== pool, !touched.contains(where: { $0 === pool }) { touched.append(pool) }
  }

  private func socketReady(_ socket: Int32, pool number: UInt32, events: UInt32) {
    let index = Int(socket)
    // An event of the same batch may have closed the socket that this one is about, and another one have its number now.
    guard index < sockets.count, sockets[index].watched != 0, sockets[index].pool == number else { return }
    if !coalescing.isEmpty { coalescing.hasEvent(socket) }
    let failure = EPOLLERR.rawValue | EPOLLHUP.rawValue
    guard sockets[index].wanted != 0, let pool = pools[number] else {
      // An idle connection that was closed or sends more than was asked for: libcurl will see to it when it is used.
      epoll?.forget(socket)
      sockets[index].watched = 0
      return
    }
    var action: Int32 = 0
    if events & (EPOLLIN.rawValue | failure) != 0 { action |= CURL_CSELECT_IN }
    if events & EPOLLOUT.rawValue != 0 { action |= CURL_CSELECT_OUT }
    if events & failure != 0 { action |= CURL_CSELECT_ERR }
    pool.socketReady(socket, action)
  }
}
