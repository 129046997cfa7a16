// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc

/// An answer that lies unread in a connection which is lost while the request's body is on its way.
///
/// A server that refuses an upload answers and resets. libcurl finds the reset when it sends on, and closes without another
/// look; the answer still waits in the socket (RFC 9112 section 9.6). So what waits there is taken as libcurl closes it.
/// Not over TLS, where those bytes lie behind OpenSSL.
extension Transfer {
  /// Bytes that are taken; a refusal has few.
  private static let unreadLimit = 1 << 20
  private static let piece = 16 << 10

  /// Has the socket looked at when it closes.
  func watchForRefusal() {
    unread = []
    guard reader != nil, !request.isSecure, request.use == .exchange, let socket else { return }
    pool.thread.uploads[socket] = self
  }

  /// The connection is about to be closed.
  func connectionCloses(_ socket: Int32) {
    guard isRunning, socket == self.socket else { return }
    var room = [UInt8](repeating: 0, count: Self.piece)
    while unread.count < Self.unreadLimit {
      let count = unsafe recv(socket, &room, room.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return }
      unread += room[..<count]
    }
  }

  /// Reads an answer that was left in the socket; false where there is none that is whole.
  func readsRefusal(after code: CURLcode) -> Bool {
    let bytes = unread
    unread = []
    guard code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR, machine.head == nil,
      let length = Self.wholeAnswer(in: bytes, to: request.method)
    else { return false }
    var start = 0
    for line in Self.lines(of: bytes[..<length]) {
      guard headLine(bytes.span.extracting(start..<start + line)) else { return false }
      start += line
    }
    unread = Array(bytes[length...])
    return true
  }

  /// Delivers what was left in the socket, up to the next pause, and ends.
  func deliverRefusal() {
    while !unread.isEmpty {
      guard !machine.isPaused else { return }
      let piece = Array(unread.prefix(Self.piece))
      unread.removeFirst(piece.count)
      guard unsafe piece.withUnsafeBytes({ unsafe bodyPiece($0) }) == piece.count else { break }
    }
    // The bytes that the decoder holds are delivered as after any other end.
    if decoder?.hasWaitingInput == true { return }
    let action = machine.curlEnded(CURLE_OK, description: "", isContentComplete: decoder?.isComplete ?? true)
    if case .end(let failure) = action { end(failure) }
  }

  /// True if such an answer waits for its receiver.
  var holdsRefusal: Bool { !unread.isEmpty }

  /// The length of the head of an answer that is there as a whole, with a length of its own; nil for all else.
  static func wholeAnswer(in bytes: [UInt8], to method: String) -> Int? {
    var judge = HeadJudge(requestMethod: method)
    var start = 0
    for line in lines(of: bytes[...]) {
      let verdict = judge.line(bytes.span.extracting(start..<start + line))
      start += line
      switch verdict {
      case .more, .interim: break
      case .final(let head):
        guard head.status >= 300, let length = head.contentLength, !judge.isAmbiguous else { return nil }
        return Int64(bytes.count - start) == length ? start : nil
      case .trailer, .fault: return nil
      }
    }
    return nil
  }

  /// The lengths of the lines, each with its end.
  private static func lines(of bytes: ArraySlice<UInt8>) -> [Int] {
    var lengths: [Int] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 10) {
      lengths.append(end + 1 - start)
      start = end + 1
    }
    return lengths
  }
}
