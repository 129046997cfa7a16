// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The facts about HTTP/2 that a transfer has to know and libcurl reports as text alone, and the answer that comes before the
/// end of an upload. On the I/O thread.
extension Transfer {
  /// True if libcurl's words matter to this transfer: they cost, and only a request with a body depends on them.
  var listensToStreams: Bool { reader != nil && request.isSecure && request.use == .exchange }

  /// One sentence of libcurl's (CURLINFO_TEXT). Which streams a server drops as it goes away concerns all transfers of the
  /// connection, but is said to the one that reads.
  func receiveText(_ bytes: Span<UInt8>) {
    let isHeard = socket.map { pool.thread.connections.isListened($0) } ?? false
    guard listensToStreams || isHeard else { return }
    let text = bytes.text
    if let socket, text.firstRange(of: "GOAWAY") != nil {
      for transfer in pool.transfers(on: socket) { transfer.machine.streamNews(text, ownStream: &transfer.stream) }
    } else if listensToStreams {
      machine.streamNews(text, ownStream: &stream)
    }
  }

  /// The request is about to be sent on `socket`. Whichever transfer of a connection reads hears what concerns them all, so
  /// where one listens, all do.
  func joinStreams() {
    leaveStreams()
    guard let socket, request.isSecure, request.use == .exchange else { return }
    if listensToStreams {
      listensOn = socket
      guard pool.thread.connections.listen(on: socket) else { return }
      for transfer in pool.transfers(on: socket) { transfer.handle?.watchesRawBytes = true }
    } else if pool.thread.connections.isListened(socket) {
      handle?.watchesRawBytes = true
    }
  }

  /// The request goes out on that socket no more.
  func leaveStreams() {
    if let socket = listensOn.take() { pool.thread.connections.stopListening(on: socket) }
  }

  /// The first line of a head. libcurl stops reading for a transfer whose answer has its whole length, although it still
  /// sends: it would learn neither of room for the rest of the request nor of the stream's end. Without a length it reads to
  /// the end of the stream, and whether the length was right is judged here anyway.
  func readsBehindAnswer(_ line: Span<UInt8>) {
    guard listensToStreams, line.begins(with: "HTTP/2") else { return }
    handle?.set(CURLOPT_IGNORE_CONTENT_LENGTH, 1)
  }

  /// True if the answer is there as a whole although the request's body is still on its way, over HTTP/2.
  var holdsWholeAnswer: Bool { reader != nil && machine.isWholeByLength && decoder?.isComplete ?? true }
}
