// SPDX-License-Identifier: Apache-2.0
import CCurl

/// What a transfer has to know of HTTP/2 that libcurl reports as text alone, and the answer that comes before the end of an
/// upload. On the I/O thread.
extension Transfer {
  /// Whether libcurl's words are listened to: they cost, and only a request with a body depends on them.
  var listensToStreams: Bool { reader != nil && request.isSecure && request.use == .exchange }

  /// One sentence of libcurl's (CURLINFO_TEXT). Which streams a server drops as it goes away concerns all transfers of the
  /// connection, but is said to the one that reads.
  func receiveText(_ bytes: UnsafeRawBufferPointer) {
    guard listensToStreams else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.firstRange(of: "GOAWAY") != nil, let socket else {
      return machine.streamNews(text, ownStream: &stream)
    }
    for transfer in pool.transfers(on: socket) { transfer.machine.streamNews(text, ownStream: &transfer.stream) }
  }

  /// The first line of a head. libcurl stops reading for a transfer whose answer has its whole length, although it still
  /// sends: it would learn neither of room for the rest of the request nor of the stream's end. Without a length it reads to
  /// the end of the stream, and whether the length was right is judged here anyway.
  func readsBehindAnswer(_ line: UnsafeRawBufferPointer) {
    guard listensToStreams, line.starts(with: "HTTP/2".utf8) else { return }
    handle?.set(CURLOPT_IGNORE_CONTENT_LENGTH, 1)
  }

  /// Whether the answer is there as a whole although the request's body is still on its way, over HTTP/2.
  var holdsWholeAnswer: Bool { reader != nil && machine.isWholeByLength && decoder?.isComplete ?? true }
}
