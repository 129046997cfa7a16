// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import Glibc

/// The two ends of a connection that libcurl has made and leaves to us (CURLOPT_CONNECT_ONLY): bytes out, bytes in.
///
/// libcurl keeps the connection, with TLS where there is any, until its handle is taken from the multi handle; reading and
/// writing never block. It belongs to the I/O thread, and to one transfer.
final class RawSocket {
  /// The result of an attempt to read.
  enum Input {
    case bytes(Int)
    /// Nothing now.
    case wait
    /// The peer sends nothing more.
    case end
    case failed(CURLcode)
  }

  let socket: Int32
  private let handle: EasyHandle
  /// True if libcurl speaks TLS on it.
  private let isSecure: Bool
  /// The TLS that begins in its midst, once it was asked for.
  private(set) var security: StartTLS?
  /// True if TLS begins once it is known whom to trust.
  var awaitsSecurity = false
  /// The bytes that wait to be sent; a piece never moves in memory, since TLS wants the same bytes again after a wait.
  private var output: [[UInt8]] = []
  private var offset = 0
  /// Bytes that the system took, those of a request included.
  private(set) var sent: Int64 = 0
  /// Bytes received, those of a head included.
  private(set) var received: Int64 = 0
  /// Nothing more is to be sent after what waits.
  private(set) var isOutputEnding = false
  private var hasOutputEnded = false
  /// The peer sends nothing more.
  var hasInputEnded = false
  /// The bytes that arrived behind a pause.
  var rest: [UInt8] = []
  /// The line of a head that is still incomplete; nil once the head is complete, or where there is none.
  var line: [UInt8]?
  /// When the head of the answer was complete, in nanoseconds of the monotonic clock.
  var answered: Int64?
  /// When the handshake of `security` was done, likewise.
  var secured: Int64?
  /// Bytes of the request's head, which are no bytes of the user's.
  let headBytes: Int64
  /// True if sending met a reset. The kernel reports that once, and of an orderly end from then on.
  private(set) var wasReset = false
  /// True if its transfer reads or writes just now, and takes up what is given to it meanwhile.
  var isBusy = false

  /// The connection that `handle` has made; nil when there is none. A `head` is sent first, and answered with one.
  init?(_ handle: EasyHandle, isSecure: Bool, head: [UInt8]?) {
    guard let socket = handle.activeSocket else { return nil }
    self.handle = handle
    self.socket = socket
    self.isSecure = isSecure
    headBytes = Int64(head?.count ?? 0)
    if let head {
      output = [head]
      line = []
    }
  }

  /// True if nothing stands between the socket and its bytes.
  var isPlain: Bool { !isSecure && security == nil }

  /// True if bytes may pass: no handshake is under way.
  var isReady: Bool { security?.isDone ?? !awaitsSecurity }

  /// Has all that follows go over TLS, once its handshake is done. False when there is no memory.
  func secure(_ judge: PeerJudge, host: String, versions: TLSVersions, trusting authorities: [UInt8]?) -> Bool {
    security = StartTLS(handle, judge, host: host, versions: versions, trusting: authorities)
    return security != nil
  }

  /// Returns the events that the I/O thread shall watch the socket for, given whether the transfer wants to read.
  func events(reads: Bool) -> UInt32 {
    let input = reads && !hasInputEnded ? EPOLLIN.rawValue : 0
    return output.isEmpty ? input : input | EPOLLOUT.rawValue
  }

  /// Puts bytes behind all that wait.
  func append(_ bytes: [UInt8]) {
    if !bytes.isEmpty, !isOutputEnding { output.append(bytes) }
  }

  /// Ends our direction once all that waits is sent.
  func endOutput() {
    isOutputEnding = true
  }

  /// Sends what the system takes; nil, or why nothing can be sent any more.
  func flush() -> CURLcode? {
    var done = 0
    defer { output.removeFirst(done) }
    while done < output.count {
      var count = 0
      let code = unsafe output[done].withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return unsafe send(rest, &count)
      }
      if code == CURLE_AGAIN { return nil }
      guard code == CURLE_OK else {
        wasReset = handle.long(CURLINFO_OS_ERRNO) == Int(ECONNRESET)
        return code
      }
      sent += Int64(count)
      offset += count
      guard offset == output[done].count else { continue }
      offset = 0
      done += 1
    }
    if isOutputEnding, !hasOutputEnded { sayEnd() }
    return nil
  }

  private func send(_ bytes: UnsafeRawBufferPointer, _ count: inout Int) -> CURLcode {
    unsafe security?.send(bytes, &count) ?? curl_easy_send(handle.raw, bytes.baseAddress, bytes.count, &count)
  }

  /// A TLS peer gets the end within TLS, too (close_notify, RFC 8446 section 6.1).
  private func sayEnd() {
    hasOutputEnded = true
    if let security { security.sayCloseNotify() } else if isSecure { handle.sayCloseNotify() }
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Fills a part of the buffer.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Input {
    var count = 0
    let code =
      unsafe security?.receive(into: buffer, &count)
      ?? curl_easy_recv(handle.raw, buffer.baseAddress, buffer.count, &count)
    if code == CURLE_AGAIN { return .wait }
    guard code == CURLE_OK else { return .failed(code) }
    received += Int64(count)
    return count == 0 ? .end : .bytes(count)
  }
}
