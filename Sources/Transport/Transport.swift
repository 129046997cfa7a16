// SPDX-License-Identifier: Apache-2.0

/// Performs HTTP exchanges over libcurl: one request, one response.
///
/// A transport keeps its connections to itself, as a session does; all transports of a process share one I/O thread.
/// Nothing is decided here that a delegate could be asked: no redirect, cookie, cache, authentication, environment
/// proxy or .netrc.
public final class Transport: Sendable {
  private let pool: ConnectionPool

  /// A transport with at most `connectionsPerHost` connections to one host at a time (CURLMOPT_MAX_HOST_CONNECTIONS);
  /// further transfers wait for their turn. Servers are trusted whose certificates lead to one of `authorities`, in PEM
  /// (CURLOPT_CAINFO_BLOB); nil stands for the file that the environment variable SSL_CERT_FILE names, or else for
  /// the system's.
  public init(connectionsPerHost: Int = 6, authorities: [UInt8]? = nil) {
    pool = ConnectionPool(connectionsPerHost: connectionsPerHost, authorities: authorities, thread: .shared)
  }

  deinit {
    let pool = pool
    pool.thread.post { pool.close() }
  }

  /// Starts an exchange. The consumer is held until its end.
  public func start(_ request: consuming TransferRequest, consumer: any TransferConsumer) -> Transfer {
    let transfer = Transfer(request, consumer: consumer, pool: pool)
    pool.thread.post { transfer.begin() }
    return transfer
  }

  /// Runs `job` on the I/O thread, in the order of posting, so that its caller may say things in one order with what
  /// transfers say. It must not block.
  public func perform(_ job: @escaping @Sendable () -> Void) {
    pool.thread.post(job)
  }

  /// Runs `job` on the I/O thread as soon as no socket has an event, at the latest a third of a millisecond
  /// later, so that a burst of pieces can be dealt with at once. Called on another thread, it runs at once, there.
  public static func whenIdle(_ job: @escaping @Sendable () -> Void) {
    if IOThread.shared.isCurrent { IOThread.shared.whenIdle(job) } else { job() }
  }

  /// Runs `job` on the I/O thread after `delay`, behind the events of sockets by then. Costs no thread and no
  /// descriptor; it cannot be taken back.
  public static func after(_ delay: Duration, _ job: @escaping @Sendable () -> Void) {
    let nanoseconds = MonotonicClock.nanoseconds(delay)
    guard IOThread.shared.isCurrent else { return IOThread.shared.post { IOThread.shared.after(nanoseconds, job) } }
    IOThread.shared.after(nanoseconds, job)
  }

  /// Runs `job` on the I/O thread, whatever transport there is or was; otherwise like `perform(_:)`.
  public static func onThread(_ job: @escaping @Sendable () -> Void) {
    IOThread.shared.post(job)
  }

  /// True if the caller runs on the I/O thread.
  public static var isOnThread: Bool { IOThread.shared.isCurrent }

  /// Debug builds stop where what belongs to the I/O thread is touched on another one.
  public static func assertOnThread() {
    assert(isOnThread, "This belongs to the I/O thread.")
  }

  /// True if this build looks where it asserts: an optimizing one leaves that out.
  package static var asserts: Bool {
    var looked = false
    assert(
      {
        looked = true
        return looked
      }())
    return looked
  }

  /// Cancels all transfers and closes all connections; each consumer is called with its end. Later transfers fail.
  public func shutdown() {
    let pool = pool
    pool.thread.post { pool.close() }
  }
}
