// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc
import Timeline

/// The functions that libcurl calls, all on the I/O thread. The context is the handle, which its transfer holds while
/// libcurl has it.
extension Transfer {
  static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.flatMap { unsafe Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue().transfer }
  }

  /// CURLOPT_HEADERFUNCTION: one line of a head or trailer.
  static let headerCallback: workbench_data_callback = { bytes, size, count, context in
    guard let transfer = unsafe from(context) else { return 0 }
    transfer.handle?.hasReceivedLines = true
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count).assumingMemoryBound(to: UInt8.self)
    return unsafe transfer.headLine(line.span) ? size * count : 0
  }

  /// CURLOPT_WRITEFUNCTION: a piece of the body, at most 16 KiB (CURL_MAX_WRITE_SIZE).
  static let writeCallback: workbench_data_callback = { bytes, size, count, context in
    guard let transfer = unsafe from(context) else { return 0 }
    return unsafe transfer.bodyPiece(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  /// CURLOPT_DEBUGFUNCTION: what libcurl reads, before it takes chunks apart.
  static let debugCallback: workbench_debug_callback = { _, kind, bytes, count, context in
    guard kind == CURLINFO_DATA_IN || kind == CURLINFO_TEXT, let transfer = unsafe from(context) else { return 0 }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
    let bytes = unsafe buffer.span
    if kind == CURLINFO_TEXT { transfer.receiveText(bytes) } else { transfer.judgeChunks(bytes) }
    return 0
  }

  /// CURLOPT_READFUNCTION: room for a piece of the request's body.
  static let readCallback: workbench_data_callback = { bytes, size, count, context in
    guard let transfer = unsafe from(context), let bytes = unsafe bytes else { return Int(CURL_READFUNC_ABORT) }
    return unsafe transfer.readBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  /// CURLOPT_SEEKFUNCTION: libcurl only ever goes back to the first byte.
  static let seekCallback: workbench_seek_callback = { context, offset, _ in
    unsafe offset == 0 && from(context)?.rewind() == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
  }

  /// CURLOPT_PREREQFUNCTION: a connection stands, the request is about to be sent.
  static let prereqCallback: workbench_prereq_callback = { context, remote, local, remotePort, localPort in
    let ends = unsafe KnownConnections.Ends(local: local, localPort, remote: remote, remotePort)
    return unsafe from(context)?.connectionReady(ends) == .send ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  /// CURLOPT_SSL_CTX_FUNCTION: a TLS handshake is about to begin.
  static let securityCallback: workbench_ssl_context_callback = { _, context, handle in
    guard let context = unsafe context, let transfer = unsafe from(handle) else { return CURLE_ABORTED_BY_CALLBACK }
    return unsafe transfer.judgePeer(OpaquePointer(context)) ? CURLE_OK : CURLE_SSL_CONNECT_ERROR
  }

  /// CURLOPT_SOCKOPTFUNCTION: a new connection begins to be made.
  static let sockoptCallback: workbench_sockopt_callback = { context, socket, _ in
    unsafe from(context)?.connectionBegins(on: socket)
    return CURL_SOCKOPT_OK
  }

  /// CURLOPT_RESOLVER_START_FUNCTION: a name is about to be resolved.
  static let resolverStartCallback: workbench_resolver_start_callback = { _, _, context in
    unsafe from(context)?.connectionBegins()
    return 0
  }

  /// CURLOPT_CLOSESOCKETFUNCTION; the context is the I/O thread.
  static let closesocketCallback: workbench_closesocket_callback = { context, socket in
    if let context = unsafe context {
      unsafe Unmanaged<IOThread>.fromOpaque(context).takeUnretainedValue().socketCloses(socket)
    }
    return close(socket)
  }
}

// MARK: - Their meaning

extension Transfer {
  func headLine(_ line: Span<UInt8>) -> Bool {
    if let continues = tunnelLine(line) { return continues }
    loginLine(line)
    answerBegins(line)
    noteRecord()
    switch machine.headLine(line, now: now) {
    case .more, .trailer: break
    case .interim(let head): deliverInterim(head)
    case .final(let head):
      if machine.mustNotReuseConnection || owesBody(behind: head) { forbidReuse() }
      if machine.isChunked { handle?.watchesRawBytes = true }
      if machine.dependsOnStreamEnd { listenToStreams() }
      burst = Burst(of: head, on: socket)
      if holdsBack(head) { return true }
      deliver(head)
    case .fault: return false
    }
    return true
  }

  /// True if content that the request announced waits for a 100 when its answer comes. It is never sent then, so the server would
  /// take the next request for it (RFC 9112 section 9.3).
  private func owesBody(behind head: ResponseHead) -> Bool {
    announcesContinue && head.version != "HTTP/2" && reader?.isComplete == false
  }

  private func forbidReuse() {
    handle?.hasSpecialOptions = true
    handle?.set(CURLOPT_FORBID_REUSE, 1)
  }

  func bodyPiece(_ bytes: UnsafeRawBufferPointer) -> Int {
    deliverHeldHead()
    noteRecord()
    switch machine.bodyArrived(bytes.count, now: now) {
    case .hold:
      handle?.mustNotBeKept = true
      handle?.holdsBytes = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .drop: return bytes.count
    case .forward:
      burst?.add(bytes.count, of: machine.bodyBytes, on: pool.thread)
      return unsafe deliver(bytes) ? bytes.count : 0
    }
  }

  private func readBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let reader else { return 0 }
    let count = unsafe reader.read(into: buffer)
    machine.moved(now: now)
    if count > 0, count <= buffer.count {
      watchSendQueue()
      sent()
    }
    return count
  }

  private func connectionBegins(on socket: Int32? = nil) {
    if let socket {
      freshSockets.append(socket)
      pool.connectionsMade += 1
      pool.thread.socketOpens(socket)
      if Descriptors.isAmongLast(socket) { forbidReuse() }
    }
    tunnelBegins()
    machine.moved(now: now)
    pool.checkNoLater(than: machine.deadline)
  }

  private func judgePeer(_ context: OpaquePointer) -> Bool {
    let judge = PeerJudge(request.peerPolicy, request.identityPolicy, host: host)
    unsafe judge.ahead.pool = pool
    self.judge = judge
    hasMadeConnection = true
    if pool.authorities == nil { _ = unsafe SystemAuthorities.shared.trust(by: context) }
    return unsafe judge.judge(context)
  }

  private func connectionReady(_ ends: KnownConnections.Ends) -> TransferMachine.ConnectionAction {
    guard request.peerPolicy != .show, handle?.canJudgePeers == true || !request.isSecure else {
      machine.failed(.undecided)
      return .abandon
    }
    leaveRoom()
    tunnel = nil
    let isReused = freshSockets.isEmpty
    let mayShare = joinConnection(ends)
    watchForRefusal()
    if isIdentityUndecided {
      machine.failed(.identityUndecided)
      return .abandon
    }
    Timeline.emit(.transfer(.connected), subject: request.subject)
    repeatsWithoutExpectation()
    let action = machine.connected(
      hasUnaskedBytes: hasUnaskedBytes, isMistaken: !mayShare, speaksHTTP2: connection?.speaksHTTP2 ?? false,
      isReused: isReused, now: now)
    if let last = connection?.lastTaken { machine.connectionWentAway(behind: last) }
    pool.checkNoLater(than: machine.deadline)
    return action
  }

  /// True if bytes wait on a plain connection before anything was asked on it. Over TLS the peer may send session
  /// tickets at any time, and libcurl discards a connection whose peer has closed.
  private var hasUnaskedBytes: Bool {
    guard request.use == .exchange, !request.isSecure, let socket else { return false }
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }
}

// MARK: - Metrics

extension Transfer {
  func collectMetrics() -> TransferMetrics {
    var metrics = TransferMetrics()
    guard request.isMeasured, let handle else { return metrics }
    func time(_ info: CURLINFO) -> Duration? {
      let microseconds = handle.offset(info)
      return microseconds > 0 ? .microseconds(microseconds) : nil
    }
    // A newer libcurl says when it sent a request for one that it never sent, too (seen with 8.23.0).
    let isSent = machine.connections > 0
    metrics.isReusedConnection = isSent && handle.long(CURLINFO_NUM_CONNECTS) == 0
    if !metrics.isReusedConnection {
      metrics.nameResolved = time(CURLINFO_NAMELOOKUP_TIME_T)
      metrics.connected = time(CURLINFO_CONNECT_TIME_T)
      metrics.secured = time(CURLINFO_APPCONNECT_TIME_T)
    }
    if isSent {
      metrics.requestStarted = time(CURLINFO_PRETRANSFER_TIME_T)
      metrics.responseStarted = time(CURLINFO_STARTTRANSFER_TIME_T)
    }
    metrics.total = time(CURLINFO_TOTAL_TIME_T) ?? .zero
    metrics.requestHeadBytes = Int64(handle.long(CURLINFO_REQUEST_SIZE))
    metrics.requestBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
    metrics.responseHeadBytes = Int64(handle.long(CURLINFO_HEADER_SIZE))
    metrics.responseBodyBytes = machine.bodyBytes
    metrics.decodedBodyBytes = decodedBodyBytes
    metrics.remoteAddress = handle.string(CURLINFO_PRIMARY_IP)
    metrics.remotePort = handle.long(CURLINFO_PRIMARY_PORT)
    metrics.localAddress = handle.string(CURLINFO_LOCAL_IP)
    metrics.localPort = handle.long(CURLINFO_LOCAL_PORT)
    metrics.agreement = judge?.agreement
    metrics.protocolName = protocolName(handle.long(CURLINFO_HTTP_VERSION))
    if let rawSocket { complete(&metrics, rawSocket) }
    return metrics
  }

  private func protocolName(_ version: Int) -> String {
    switch version {
    case Int(CURL_HTTP_VERSION_1_0): "http/1.0"
    case Int(CURL_HTTP_VERSION_1_1): "http/1.1"
    case Int(CURL_HTTP_VERSION_2_0): "h2"
    default: ""
    }
  }
}
