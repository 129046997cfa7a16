// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux

/// A libcurl multi handle and the TLS sessions that its transfers share, released exactly once and in this order.
///
/// All calls of curl_multi and curl_share are here. It belongs to the I/O thread; easy handles that share its sessions go
/// before it. Safe: both of libcurl's handles live as long as this one, and no copy of it can outlive them.
@safe
struct MultiHandle: ~Copyable {
  private let raw: UnsafeMutableRawPointer
  /// nil when there is no memory: then each connection agrees on a TLS session of its own.
  private let share: UnsafeMutableRawPointer?

  /// nil when libcurl cannot be used or there is no memory.
  init?(connectionsPerHost: Int) {
    guard CurlGlobal.isReady, let raw = unsafe WakeUpPair.makeHandle() else { return nil }
    unsafe self.raw = raw
    unsafe share = curl_share_init()
    if let share = unsafe share {
      // One thread uses it, so it needs no lock functions.
      _ = unsafe workbench_share_set_long(share, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_SSL_SESSION.rawValue))
    }
    _ = unsafe workbench_multi_set_long(raw, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
  }

  deinit {
    unsafe curl_multi_cleanup(raw)
    if let share = unsafe share { unsafe curl_share_cleanup(share) }
  }

  /// Leaves libcurl's handles as they are, in a process that ends.
  consuming func abandon() {
    discard self
  }

  /// Has libcurl tell `pool`, which outlives this handle, which sockets it watches and when it wants a turn.
  func report(to pool: ConnectionPool) {
    let context = unsafe Unmanaged.passUnretained(pool).toOpaque()
    _ = unsafe workbench_multi_set_pointer(raw, CURLMOPT_SOCKETDATA, context)
    _ = unsafe workbench_multi_set_pointer(raw, CURLMOPT_TIMERDATA, context)
    _ = unsafe workbench_multi_set_socket_callback(raw, Self.socketCallback)
    _ = unsafe workbench_multi_set_timer_callback(raw, Self.timerCallback)
  }

  /// CURLMOPT_MAXCONNECTS: connections that are kept, those in use included.
  func limitConnections(to count: Int) {
    _ = unsafe workbench_multi_set_long(raw, CURLMOPT_MAXCONNECTS, count)
  }

  /// CURLMOPT_MAX_TOTAL_CONNECTIONS: where there are as many, libcurl closes an idle one before it makes another; 0 for no limit.
  func limitAllConnections(to count: Int) {
    _ = unsafe workbench_multi_set_long(raw, CURLMOPT_MAX_TOTAL_CONNECTIONS, count)
  }

  /// Lets the handle's connections resume the TLS sessions of others.
  func shareSecuritySessions(with handle: EasyHandle) {
    if let share = unsafe share { unsafe handle.set(CURLOPT_SHARE, pointer: share) }
  }

  /// Lets libcurl begin.
  func add(_ handle: EasyHandle) {
    unsafe curl_multi_add_handle(raw, handle.raw)
  }

  /// Ends what libcurl does for the handle.
  func remove(_ handle: EasyHandle) {
    unsafe curl_multi_remove_handle(raw, handle.raw)
  }

  /// Lets libcurl work on `socket`, or on what its timer is for; `action` is of CURL_CSELECT.
  func act(on socket: Int32, _ action: Int32) {
    var running: Int32 = 0
    unsafe curl_multi_socket_action(raw, socket, action, &running)
  }

  /// The next transfer that libcurl has finished, with the result; nil when there is none.
  func nextEnded() -> (Transfer, CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(raw, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
      let result = unsafe workbench_message_result(message)
      var context: UnsafeMutableRawPointer?
      guard unsafe workbench_easy_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK else { continue }
      if let transfer = unsafe Transfer.from(context) { return (transfer, result) }
    }
    return nil
  }

  /// CURLMOPT_SOCKETFUNCTION; the context is the pool.
  private static let socketCallback: workbench_socket_callback = { _, socket, what, context, _ in
    guard let context = unsafe context else { return 0 }
    let events: UInt32 =
      switch what {
      case CURL_POLL_IN: EPOLLIN.rawValue
      case CURL_POLL_OUT: EPOLLOUT.rawValue
      case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
      default: 0
      }
    unsafe Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().want(events, of: socket)
    return 0
  }

  /// CURLMOPT_TIMERFUNCTION; the context is the pool.
  private static let timerCallback: workbench_timer_callback = { _, milliseconds, context in
    guard let context = unsafe context else { return 0 }
    unsafe Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().wantTurn(after: Int(milliseconds))
    return 0
  }
}
