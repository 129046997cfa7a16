// SPDX-License-Identifier: Apache-2.0

/// Performing a script, step by step.
extension Connection {
  func perform(_ step: Step, _ head: RequestHead) throws(ConnectionEnd) {
    switch step {
    case .bytes(let bytes):
      noteStatus(in: bytes)
      try send(bytes)
    case .response(let response): try send(response, for: head.method)
    case .seeded(let seed, let range): try send(SeededBody(seed: seed), range)
    case .repeated(let bytes, let times): try send(bytes, times)
    case .pace(let pace): self.pace = pace
    case .cut(let count, let ending):
      guard count > 0 else { throw .wanted(ending) }
      cut = (count, ending)
    case .delay(let duration): try sleep(duration)
    case .readBody: try readBody(head)
    case .receive(let take, let limit):
      receiver = (take, limit)
      defer { receiver = nil }
      try readBody(head, sendingContinue: true)
    case .computed(let make): try send(make(), for: head.method)
    case .stall:
      _ = wire.waitForPeerToClose()
      throw .gone
    case .gate(let name):
      guard context.gates.wait(name, on: wire) else { throw .gone }
    case .hold(let duration): guard wire.waitForPeerToClose(atMost: duration) else { throw .gone }
    case .end(let ending): throw .wanted(ending)
    case .echo: try echo()
    case .readLine: _ = try readLine()
    case .beginTLS: try beginTLS()
    case .acceptSocket(let name): try acceptSocket(head, protocol: name)
    case .echoMessages(let size): try echoMessages(inFramesOf: size)
    case .resetStream, .resetStreamApart, .cutStream, .goAway, .drop: throw .wanted(.rst)
    }
  }

  /// Sends the same bytes again and again; short ones are gathered, so that a flood is one.
  private func send(_ bytes: [UInt8], _ times: Int?) throws(ConnectionEnd) {
    guard !bytes.isEmpty else { return }
    let copies = pace == .full ? max(1, (64 << 10) / bytes.count) : 1
    let batch = Self.copies(of: bytes, min(copies, times ?? copies))
    var left = times ?? .max
    while left >= copies {
      try send(batch)
      if times != nil { left -= copies }
    }
    if left > 0 { try send(Self.copies(of: bytes, left)) }
  }

  /// Joined byte by byte, a flood would take longer to make than to send.
  private static func copies(of bytes: [UInt8], _ count: Int) -> [UInt8] {
    guard bytes.count > 1 else { return [UInt8](repeating: bytes[0], count: count) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * count)
    for _ in 0..<count { result += bytes }
    return result
  }

  /// Raw bytes that look like a status line tell the log which status was sent.
  private func noteStatus(in bytes: [UInt8]) {
    guard bytes.count > 12, bytes.starts(with: Array("HTTP/1.".utf8)) else { return }
    status = Int(String(decoding: bytes[9..<12], as: UTF8.self)) ?? status
  }
}
