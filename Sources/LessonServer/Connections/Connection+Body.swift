// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Reading a request's body: counted and summed up, not kept.
extension Connection {
  private static let pieceSize = 256 << 10
  private static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Reads what is left of the body; where asked to, it first sends the 100 the client waits for (RFC 9110 section
  /// 10.1.1).
  func readBody(_ head: RequestHead, sendingContinue: Bool = false) throws(ConnectionEnd) {
    guard case .unread(let framing) = bodyState else { return }
    bodyState = .read
    if sendingContinue, head.expectsContinue { try send(Self.continueLine) }
    switch framing {
    case .length(let count): try readBytes(count)
    case .chunked: try readChunks()
    case .unknown:
      try send(Response.text("The end of this request's body cannot be known.\n", 400))
      throw .wanted(.fin)
    }
  }

  private func readBytes(_ count: Int64) throws(ConnectionEnd) {
    var left = count
    while left > 0 {
      if input.count == 0 { try receiveMore(left > 4096 ? Self.pieceSize : 2048) }
      let taken = Int(min(left, Int64(input.count)))
      let piece = UnsafeRawBufferPointer(rebasing: input.bytes[..<taken])
      if let receiver, let left = receiver.left, Int64(taken) >= left {
        receiver.take(UnsafeRawBufferPointer(rebasing: piece.prefix(Int(left))))
        throw .wanted(.rst)
      }
      receiver?.take(piece)
      receiver?.left? -= Int64(taken)
      body.update(piece)
      input.consume(taken)
      left -= Int64(taken)
    }
  }

  /// RFC 9112 section 7.1; extensions and trailers are passed over.
  private func readChunks() throws(ConnectionEnd) {
    while true {
      let line = try readLine()
      let digits = RequestHead.latin1(line.prefix { $0 != 59 }).filter { $0 != " " }
      guard let size = Int64(digits, radix: 16), size >= 0 else {
        try send(Response.text("\"\(digits)\" is not a chunk size.\n", 400))
        throw .wanted(.fin)
      }
      if size == 0 { break }
      try readBytes(size)
      _ = try readLine()
    }
    while try !readLine().isEmpty {}
  }

  func readLine() throws(ConnectionEnd) -> [UInt8] {
    while true {
      if let end = input.endOfLine(from: 0) {
        defer { input.consume(end) }
        let line = input.bytes.prefix(end - 1)
        return Array(line.last == 13 ? line.dropLast() : line)
      }
      guard input.count < Self.pieceSize else { throw .wanted(.rst) }
      try receiveMore()
    }
  }
}
