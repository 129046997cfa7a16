// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The server that lessons, tests and benchmarks talk to: loopback only, routes as data, able to misbehave on demand.
///
/// It has sockets of its own because resets, half-closed streams and malformed bytes are its purpose, and shares no
/// code with the transport it tests. Every method may be called from any thread. It stops when the last reference to
/// it is gone, so hold it as long as clients need it.
public final class LessonServer: Sendable {
  /// The record of what the server saw.
  public let log: ServerLog
  private let listener: Listener
  private let gates = Gates()
  private let wantedPort: UInt16
  private let tls: TLSSettings?

  /// A server for these routes, not yet listening; port 0 lets the system choose. With `tls` it speaks only https. An
  /// `opening` is performed on every connection as soon as its first bytes have come, which are not read, and ends it:
  /// for faults that strike before a request, such as in a TLS handshake. TLS then begins where the `opening` says so.
  public init(
    routes: [Route] = Route.standard, tls: TLSSettings? = nil, opening: Script? = nil, port: UInt16 = 0,
    log: ServerLog = ServerLog()
  ) {
    self.tls = tls
    self.log = log
    wantedPort = port
    listener = Listener(context: ServerContext(routes: RouteTable(routes), log: log, gates: gates, opening: opening))
  }

  deinit {
    stop()
  }

  /// Listens and returns; connections are accepted from then on. A second call does nothing.
  ///
  /// - Throws: `portInUse` when another program has the port; `cannotListen` when the system refuses a socket;
  ///   `cannotMakeCertificates` when OpenSSL fails.
  public func start() throws(LessonServerError) {
    if let tls {
      try listener.start(port: wantedPort, tls: TLSContext(tls))
    } else {
      try listener.start(port: wantedPort, tls: nil)
    }
  }

  /// Closes the listening socket and every connection, also in mid-transfer, and returns when all threads have ended.
  /// A second call does nothing.
  public func stop() {
    listener.stop()
  }

  /// The port it listens on; 0 before the start.
  public var port: UInt16 { listener.port }

  /// The address of a path of this server, such as `http://127.0.0.1:40001/ok`.
  public func url(_ path: String, host: String = "127.0.0.1") -> String {
    "\(tls == nil ? "http" : "https")://\(host):\(port)\(path)"
  }

  /// Lets all scripts pass that wait at this gate, now and later.
  public func open(gate name: String) {
    gates.open(name)
  }

  /// Raises this process's limit of open files as far as the system allows, and answers what it then is. For a server
  /// in a process of its own: thousands of connections need as many descriptors.
  @discardableResult
  public static func raiseFileLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
