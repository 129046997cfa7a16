// SPDX-License-Identifier: Apache-2.0
import CCurl

/// A transfer on its connection, and the streams of HTTP/2, of which libcurl reports little but in its log. On the I/O thread.
extension Transfer {
  /// The request is about to be sent on the connection between these ends. False where another request is under way on it that
  /// it must not share the connection with.
  func joinConnection(_ ends: KnownConnections.Ends) -> Bool {
    leaveConnection()
    connection = pool.thread.connections.connection(
      between: ends, fresh: freshSockets, judge: freshSockets.isEmpty ? nil : judge)
    socket = connection?.socket
    if request.isSecure { judge = connection?.judge ?? judge }
    if freshSockets.isEmpty { hasMadeConnection = false }
    freshSockets = []
    guard let connection else { return true }
    let mayShare = connection.join(self) || request.use != .exchange
    // A request that goes out again has to know whether the server refuses it.
    if sendsOnStream || machine.connections > 0 { listenToStreams() }
    if connection.isListened { handle?.watchesRawBytes = true }
    machine.sends(onStreamFrom: connection.leastStream)
    doubts = connection.judge?.records.headFollows() ?? 0
    return mayShare
  }

  /// The request goes out on that connection no more.
  func leaveConnection() {
    if isListening { connection?.stopListening() }
    isListening = false
    connection.take()?.leave(self)
  }

  /// Has libcurl look at the connection for its other transfers: it tells the transfer alone that was reading that the connection has
  /// broken.
  func wakeNeighbours() {
    guard let connection, connection.speaksHTTP2, connection.users > 1, !connection.isClosed else { return }
    pool.thread.post { [pool, socket = connection.socket] in pool.socketReady(socket, CURL_CSELECT_IN) }
  }

  /// True if the request has a body, over HTTP/2: its end depends on what becomes of its stream.
  private var sendsOnStream: Bool { reader != nil && request.use == .exchange && connection?.speaksHTTP2 == true }

  /// Listens to libcurl's log. Whichever transfer of a connection reads hears what concerns them all, so where one listens, all do.
  func listenToStreams() {
    guard !isListening, let connection, connection.speaksHTTP2 else { return }
    isListening = true
    guard connection.listen() else { return }
    for transfer in pool.transfers(on: connection) { transfer.handle?.watchesRawBytes = true }
  }

  /// One sentence of libcurl's (CURLINFO_TEXT), about this transfer or about the connection that it reads for.
  func receiveText(_ bytes: Span<UInt8>) {
    guard let connection, connection.isListened else { return }
    switch StreamNews(bytes) {
    case .refused: machine.wasNotTouched()
    case .failed: machine.streamFailed()
    case .own(let stream): machine.isSent(on: stream)
    case .wentAway(let last):
      connection.wentAway(behind: last)
      for transfer in pool.transfers(on: connection) { transfer.machine.connectionWentAway(behind: last) }
    case .reset(let stream, let isRefused):
      for transfer in pool.transfers(on: connection) { transfer.machine.wasReset(stream, isRefused: isRefused) }
    case nil: break
    }
  }

  /// The first line of a head. Without a length libcurl reads to the end of the stream, and whether the length was right is
  /// judged here anyway: it would stop reading for a transfer whose answer has its whole length, although it still sends, and
  /// learn neither of room for the rest of the request nor of the stream's end.
  func answerBegins(_ line: Span<UInt8>) {
    guard line.begins(with: "HTTP/") else { return }
    guard let connection, !machine.hasHeadBytes else { return }
    connection.answerBegins()
    guard connection.speaksHTTP2 else { return }
    connection.judge?.records.answerBegins(doubts)
    if sendsOnStream { handle?.ignoresContentLength = true }
  }

  /// True if the answer is there as a whole although the request's body is still on its way, over HTTP/2.
  var holdsWholeAnswer: Bool { reader != nil && machine.isWholeByLength && decoder?.isComplete ?? true }

  /// True if the end that libcurl tells of may be that of the connection alone, which no longer stands (`LastRecords`).
  private func mayBeCut(on connection: KnownConnection) -> Bool {
    guard CurlFacts.current.endsStreamsWithConnection, let records = connection.judge?.records else { return false }
    if records.mayHaveEnded { return connection.isClosed || connection.users > 1 }
    return connection.isClosed && !records.isLastShort && lastRead != records.reads
  }

  /// A piece of the answer is handed over.
  func noteRecord() {
    if let records = connection?.judge?.records { lastRead = records.reads }
  }

  /// What is known of the end of the stream when libcurl says that the transfer has ended.
  func streamEnd(isCoded: Bool) -> StreamEnd {
    let isReused = request.isSecure && !hasMadeConnection
    guard let connection, connection.speaksHTTP2 else { return StreamEnd(isReused: isReused, isCodingWhole: isCoded) }
    return StreamEnd(
      isStream: true, isReused: isReused, isCodingWhole: isCoded, isUpload: reader != nil,
      isRequestSent: reader?.isComplete ?? true, mayBeCut: mayBeCut(on: connection),
      isPeerThere: !machine.hasHeadBytes && connection.isPeerThere)
  }
}
