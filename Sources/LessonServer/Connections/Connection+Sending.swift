// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Sending: everything passes here, so that pace, cuts and the counts hold for every kind of step.
extension Connection {
  func send(_ bytes: [UInt8]) throws(ConnectionEnd) {
    var outcome = Result<Void, ConnectionEnd>.success(())
    bytes.withUnsafeBytes { bytes in
      outcome = Result { () throws(ConnectionEnd) in try send(bytes) }
    }
    try outcome.get()
  }

  func send(_ bytes: UnsafeRawBufferPointer) throws(ConnectionEnd) {
    guard let cut else { return try sendPaced(bytes) }
    guard Int64(bytes.count) >= cut.left else {
      self.cut = (cut.left - Int64(bytes.count), cut.ending)
      return try sendPaced(bytes)
    }
    try sendPaced(UnsafeRawBufferPointer(rebasing: bytes[..<Int(cut.left)]))
    throw .wanted(cut.ending)
  }

  /// Sends a well-formed response, without its body for HEAD.
  func send(_ response: Response, for method: String = "GET") throws(ConnectionEnd) {
    if response.status >= 200 || status == nil { status = response.status }
    let hasBody = response.mayHaveBody && method != "HEAD"
    if case .bytes(let bytes) = response.body, hasBody, case .length = response.framing {
      return try send(response.head + bytes)
    }
    try send(response.head)
    if hasBody { try sendBody(of: response) }
    if case .untilClose = response.framing { throw .wanted(.fin) }
  }

  private func sendBody(of response: Response) throws(ConnectionEnd) {
    switch (response.body, response.framing) {
    case (.none, .chunked), (.bytes, .chunked), (.seeded, .chunked): try sendChunks(of: response)
    case (.none, _): break
    case (.bytes(let bytes), _): try send(bytes)
    case (.seeded(let seed, let range), _): try send(SeededBody(seed: seed), range)
    }
  }

  // MARK: - Generated bodies

  /// Sends a range of the stream straight from its table, up to a mebibyte a call where nothing slows it.
  func send(_ stream: SeededBody, _ range: Range<Int64>) throws(ConnectionEnd) {
    guard case .full = pace, cut == nil else {
      return try stream.forEachPiece(of: range) { piece throws(ConnectionEnd) in try send(piece) }
    }
    var next = range.lowerBound
    while next < range.upperBound {
      let count = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 16) { pieces in
        var planned = next
        var used = 0
        while used < pieces.count, planned < range.upperBound {
          let piece = stream.piece(at: planned, atMost: range.upperBound - planned)
          pieces[used] = iovec(iov_base: UnsafeMutableRawPointer(mutating: piece.bytes), iov_len: piece.count)
          planned += Int64(piece.count)
          used += 1
        }
        return wire.send(UnsafeMutableBufferPointer(rebasing: pieces[..<used]))
      }
      try sentMore(count)
      next += Int64(count)
    }
  }

  private func sendChunks(of response: Response) throws(ConnectionEnd) {
    guard case .chunked(let size) = response.framing else { return }
    var next: Int64 = 0
    while next < response.bodyLength {
      let count = min(Int64(max(size, 1)), response.bodyLength - next)
      var chunk = Array("\(String(count, radix: 16))\r\n".utf8)
      switch response.body {
      case .none: break
      case .bytes(let bytes): chunk += bytes[Int(next)..<Int(next + count)]
      case .seeded(let seed, let range):
        SeededBody(seed: seed).forEachPiece(of: range.lowerBound + next..<range.lowerBound + next + count) {
          chunk.append(contentsOf: $0)
        }
      }
      chunk += [13, 10]
      try send(chunk)
      next += count
    }
    try send(Array("0\r\n\r\n".utf8))
  }

  // MARK: - Pace

  private func sendPaced(_ bytes: UnsafeRawBufferPointer) throws(ConnectionEnd) {
    switch pace {
    case .full: try sendAll(bytes)
    case .drip(let size, let pause):
      try inPieces(bytes, of: max(size, 1)) { piece throws(ConnectionEnd) in
        try sendAll(piece)
        try sleep(pause)
      }
    case .bytesPerSecond(let rate):
      let rate = max(rate, 1)
      let start = MonotonicTime.now()
      var done: Int64 = 0
      // Fifty pieces a second look even to a person and cost little.
      try inPieces(bytes, of: max(rate / 50, 1)) { piece throws(ConnectionEnd) in
        try sendAll(piece)
        done += Int64(piece.count)
        let due = start.advanced(by: .seconds(Double(done) / Double(rate)))
        try sleep(.nanoseconds(max(0, due.nanoseconds - MonotonicTime.now().nanoseconds)))
      }
    }
  }

  private func inPieces(
    _ bytes: UnsafeRawBufferPointer, of size: Int,
    _ body: (UnsafeRawBufferPointer) throws(ConnectionEnd) -> Void
  ) throws(ConnectionEnd) {
    var next = 0
    while next < bytes.count {
      let end = min(next + size, bytes.count)
      try body(UnsafeRawBufferPointer(rebasing: bytes[next..<end]))
      next = end
    }
  }

  func sleep(_ duration: Duration) throws(ConnectionEnd) {
    guard wire.sleep(duration) else { throw .gone }
  }

  private func sendAll(_ bytes: UnsafeRawBufferPointer) throws(ConnectionEnd) {
    var next = 0
    while next < bytes.count {
      let count = wire.send(UnsafeRawBufferPointer(rebasing: bytes[next...]))
      if count > 0 { answerHead.take(UnsafeRawBufferPointer(rebasing: bytes[next..<next + count])) }
      try sentMore(count)
      next += count
    }
  }

  private func sentMore(_ count: Int) throws(ConnectionEnd) {
    guard count > 0 else { throw .gone }
    if answered == nil, status ?? 0 >= 200 { answered = .now() }
    sent += Int64(count)
    context.log.noteSent(count)
  }
}
